import Fastify from 'fastify';
import type { Recorded } from './processes.ts';

// The baseline, in a process of its own: one Fastify route per recorded answer, which sends the same bytes with the same
// headers and does nothing else.
process.once('message', (recorded: readonly Recorded[]) => {
  void serve(recorded);
});

// The benchmark that started this process is gone: nobody is left to ask.
process.once('disconnect', () => process.exit());

async function serve(recorded: readonly Recorded[]): Promise<void> {
  const app = Fastify({ logger: false });
  for (const { path, headers, body } of recorded) {
    const bytes = Buffer.from(body, 'base64');
    app.get(path, (_request, reply) => {
      reply.headers(headers).send(bytes);
    });
  }
  process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }));
}
