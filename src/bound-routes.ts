import type { AccountAnswers } from './accounts/account-answers.ts';
import type { CreditAnswers } from './accounts/credits/credit-answers.ts';
import { creditRoutes } from './accounts/credits/routes.ts';
import type { ListAnswers } from './accounts/lists/lists.ts';
import { listRoutes } from './accounts/lists/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { AuthAnswers } from './accounts/sessions/auth-answers.ts';
import { authRoutes } from './accounts/sessions/routes.ts';
import type { PriceBook } from './contract/price-book.ts';
import { discoveryRoutes } from './features/discovery/routes.ts';
import { ecosystemRoutes } from './features/ecosystem/routes.ts';
import { equityRoutes } from './features/equities/routes.ts';
import { landingRoutes } from './features/fee-market/landing-routes.ts';
import { feeMarketRoutes } from './features/fee-market/routes.ts';
import { holderRoutes } from './features/holders/routes.ts';
import type { Answers } from './features/index.ts';
import { intelligenceRoutes } from './features/intelligence/routes.ts';
import { launchRoutes } from './features/launch/routes.ts';
import { leaderRoutes } from './features/leaders/routes.ts';
import { movementsRoutes } from './features/movements/routes.ts';
import { packRoutes } from './features/pack/routes.ts';
import { pricesRoutes } from './features/prices/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import type { Health } from './features/system/contract.ts';
import { systemRoutes } from './features/system/routes.ts';
import { tokenRoutes } from './features/tokens/routes.ts';
import { tradeRoutes } from './features/trades/routes.ts';
import type { BoundRoute } from './handlers/bind.ts';
import { toApiError } from './http/errors.ts';
import type { Logger } from './kernel/log.ts';
import type { MetadataAnswers } from './metadata/metadata-answers.ts';
import { metadataRoutes } from './metadata/routes.ts';

/** Everything that answers the routes. */
export interface RouteAnswers {
  readonly answers: Answers;
  readonly metadata: MetadataAnswers;
  readonly auth: AuthAnswers;
  readonly account: AccountAnswers;
  readonly credits: CreditAnswers;
  readonly lists: ListAnswers;
  readonly health: () => Health;
  readonly prices: PriceBook;
  readonly log: Logger;
}

/** Every route of the service, bound to what answers it. */
export function bindRoutes(parts: RouteAnswers): readonly BoundRoute[] {
  const { answers, prices, log } = parts;
  const single: readonly BoundRoute[] = [
    ...tokenRoutes(answers.tokens),
    ...tradeRoutes(answers.trades),
    ...holderRoutes(answers.holders),
    ...intelligenceRoutes(answers.intelligence),
    ...launchRoutes(answers.launch),
    ...movementsRoutes(answers.movements),
    ...metadataRoutes(parts.metadata),
    ...pricesRoutes(answers.prices),
    ...discoveryRoutes(answers.discovery),
    ...ecosystemRoutes(answers.ecosystem),
    ...feeMarketRoutes(answers.feeMarket),
    ...landingRoutes(answers.landing),
    ...leaderRoutes(answers.leaders),
    ...equityRoutes(answers.equities),
    ...searchRoutes(answers.search),
    ...systemRoutes(answers.system, parts.health, prices),
    ...authRoutes(parts.auth),
    ...accountRoutes(parts.account),
    ...creditRoutes(parts.credits),
    ...listRoutes(parts.lists),
  ];
  return [
    ...single,
    ...packRoutes({
      ...{ answers: answers.pack, bound: single, indexedSlot: () => answers.indexedSlot(), prices, toApiError, log },
    }),
  ];
}
