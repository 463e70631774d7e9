import type { Address } from '../../chain/address.ts';
import type { Execution, Instruction } from '../runtime/execution.ts';
import { type AccountMeta, read } from '../runtime/instruction.ts';

/** A routing contract's own reason not to trade, in its own numbers. */
export const ROUTER_ABORT_CODE = 6_040 + 1_700;

const ROUTE_DISCRIMINATOR = Uint8Array.of(0xe5, 0x17, 0xcb, 0x97, 0x7a, 0xe3, 0xad, 0x2a);

/**
 * A call of a routing contract that makes further calls itself. `authority` is an address of the contract, for which it
 * signs inside: the transaction is not asked for its signature.
 */
export function route(
  router: Address,
  user: AccountMeta,
  inner: readonly Instruction[],
  options: { readonly abort?: 'before' | 'after'; readonly authority?: Address } = {},
): Instruction {
  const extra = inner.flatMap((instruction) => [...instruction.accounts, read(instruction.program)]);
  return {
    program: router,
    accounts: dedupe([user, ...extra]).map((meta) =>
      meta.address === options.authority ? { ...meta, signer: false } : meta,
    ),
    data: ROUTE_DISCRIMINATOR,
    run(execution) {
      execution.log('Instruction: Route');
      if (options.abort === 'before') refuse(execution);
      for (const instruction of inner) execution.invoke(instruction);
      if (options.abort === 'after') refuse(execution);
    },
  };
}

function refuse(execution: Execution): never {
  return execution.fail(ROUTER_ABORT_CODE);
}

/** One entry for each account, with all the rights that any of its uses asks for. */
function dedupe(metas: readonly AccountMeta[]): AccountMeta[] {
  const merged = new Map<Address, AccountMeta>();
  for (const meta of metas) {
    const known = merged.get(meta.address);
    merged.set(meta.address, {
      address: meta.address,
      signer: meta.signer || (known?.signer ?? false),
      writable: meta.writable || (known?.writable ?? false),
    });
  }
  return [...merged.values()];
}
