import type { Metrics } from '../../kernel/metrics.ts';
import type { SocketBounds, SocketFigures } from './socket-bounds.ts';

/** Adds figures of connections. */
export function addSocketMetrics(metrics: Metrics, sockets: Pick<SocketBounds, 'figures' | 'alarms'>): void {
  const gauge = (name: string, help: string, figure: (figures: SocketFigures) => number) =>
    metrics.gauge({ name: `mintscope_http_${name}`, help, read: () => figure(sockets.figures) });
  gauge('connections', 'Connections that are open.', ({ connections }) => connections);
  gauge('connections_limit', 'Connections that may be open.', ({ maxConnections }) => maxConnections);
  gauge('unread_bytes', 'Bytes of answers that nobody has taken yet.', ({ unreadBytes }) => unreadBytes);
  metrics.counter({
    name: 'mintscope_http_connections_refused_total',
    help: 'Connections that were closed as they came.',
    label: 'reason',
    read: () => sockets.figures.refused,
  });
  metrics.counter({
    name: 'mintscope_http_connections_dropped_total',
    help: 'Connections whose other side did not read, or did not close.',
    label: 'reason',
    read: () => sockets.figures.dropped,
  });
  metrics.gauge({
    name: 'mintscope_http_alarm',
    help: '1 for each alarm that lasts.',
    label: 'code',
    read: () => Object.fromEntries(sockets.alarms().map(({ code }) => [code, 1])),
  });
}
