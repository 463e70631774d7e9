import { createHash } from 'node:crypto';

/** The application's user. The engine's own `default` user may not have a password, so it may do nothing. */
export const APPLICATION_USER = 'mintscope';
/** Request header that opens the server's only door. */
export const ACCESS_HEADER = 'X-Mintscope-Access';

/** Bytes the engine may hold in all; queries beyond that fail instead of the machine. */
export const MAX_SERVER_BYTES = 3 * 1024 ** 3;
/** Bytes a single query may hold. */
const MAX_QUERY_BYTES = 1024 ** 3;
/** Bytes a single GROUP BY or ORDER BY may hold before it goes to disk. */
const SPILL_BYTES = 512 * 1024 ** 2;
const MARK_CACHE_BYTES = 128 * 1024 ** 2;
/** Seconds that a connection may hold a place and send nothing. Ours are on the same machine, strangers' too. */
const RECEIVE_TIMEOUT_SECONDS = 10;
const LOG_FILE_BYTES = '10M';
const LOG_FILES = 3;

/** The longest interval that the engine takes; this one ends in 2038. */
const DECADES_SECONDS = 2_147_483_647;

/**
 * Statements that the engine runs: open the port, then wait for about forever. Sleeping needs no right, and a kill of
 * the query is noticed within a nap.
 */
export const SERVE_SCRIPT = [
  'SYSTEM START LISTEN HTTP',
  'SELECT sleepEachRow(0.2) FROM numbers(1000000000000) ' +
    'SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 1000000 FORMAT Null',
].join('; ');
/** Statements of the script. */
const SERVE_QUERIES = 2;

export interface ServerPaths {
  /** The engine's data. */
  readonly data: string;
  readonly config: string;
  readonly log: string;
  readonly errorLog: string;
  readonly users: string;
}

export interface ServerSettings {
  readonly paths: ServerPaths;
  readonly port: number;
  /** Request headers without which nothing is answered, {@link ACCESS_HEADER} among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Folder in which backups may be written and read; undefined = nowhere. */
  readonly backupDir: string | undefined;
  /** Bytes of the disk that the engine leaves free, see {@link engineReserve}. */
  readonly reserveBytes: number;
}

const MAX_RESERVE_BYTES = 256 * 1024 ** 2;
/** The part of a small disk that is kept free. */
const RESERVE_SHARE = 8;

/**
 * Bytes that the engine leaves free on a disk of that size: with less it begins no insert and no merge. What it has begun
 * must find room to its end, because a write that the disk refuses can go unnoticed in it: the part is then taken for whole
 * while its files are empty, and where it came out of a merge its rows are gone.
 */
export function engineReserve(diskBytes: number): number {
  return Math.min(MAX_RESERVE_BYTES, Math.floor(diskBytes / RESERVE_SHARE));
}

/**
 * Server settings for two cores shared with the service itself: two merges at a
 * time, no tables that log queries, caches that fit beside the service.
 */
export function serverConfigXml({ paths, port, headers, backupDir, reserveBytes }: ServerSettings): string {
  const wanted = Object.entries(headers)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
  const backups =
    backupDir === undefined ? '' : `  <backups><allowed_path>${xml(backupDir)}</allowed_path></backups>\n`;
  return `<clickhouse>
  <logger>
    <log>${xml(paths.log)}</log>
    <errorlog>${xml(paths.errorLog)}</errorlog>
    <size>${LOG_FILE_BYTES}</size>
    <count>${LOG_FILES}</count>
  </logger>
  <path>${xml(paths.data)}/</path>
  <storage_configuration>
    <disks><default><keep_free_space_bytes>${reserveBytes}</keep_free_space_bytes></default></disks>
  </storage_configuration>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <listen_reuse_port>1</listen_reuse_port>
  <keep_alive_timeout>60</keep_alive_timeout>
  <http_allow_path_requests>0</http_allow_path_requests>
  <http_handlers>
    <rule>
      <methods>POST</methods>
      <url>/</url>
      <headers>${wanted}</headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
${backups}  <user_directories><users_xml><path>${xml(paths.users)}</path></users_xml></user_directories>
  <max_server_memory_usage>${MAX_SERVER_BYTES}</max_server_memory_usage>
  <mark_cache_size>${MARK_CACHE_BYTES}</mark_cache_size>
  <max_concurrent_queries>64</max_concurrent_queries>
  <background_pool_size>2</background_pool_size>
  <background_merges_mutations_concurrency_ratio>1</background_merges_mutations_concurrency_ratio>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <merge_tree>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
</clickhouse>
`;
}

/**
 * Users and their rights. The session that runs the server is the engine's `default` user, which cannot have a password
 * and whose host cannot be restricted, so that every stranger on loopback is that user. All it may do is open (and
 * close) the port; and its quota ends with {@link SERVE_SCRIPT}, so that nobody after the server itself may do more
 * than `SELECT 1`, which the engine never counts.
 */
export function usersXml(password: string): string {
  const digest = createHash('sha256').update(password).digest('hex');
  return `<clickhouse>
  <profiles>
    <default>
      <max_memory_usage>${MAX_QUERY_BYTES}</max_memory_usage>
      <max_bytes_before_external_group_by>${SPILL_BYTES}</max_bytes_before_external_group_by>
      <max_bytes_before_external_sort>${SPILL_BYTES}</max_bytes_before_external_sort>
      <max_threads>2</max_threads>
      <log_queries>0</log_queries>
      <http_receive_timeout>${RECEIVE_TIMEOUT_SECONDS}</http_receive_timeout>
    </default>
  </profiles>
  <quotas>
    <default/>
    <spent><interval><duration>${DECADES_SECONDS}</duration><queries>${SERVE_QUERIES}</queries></interval></spent>
  </quotas>
  <users>
    <default>
      <password></password>
      <profile>default</profile>
      <quota>spent</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${APPLICATION_USER}>
      <password_sha256_hex>${digest}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT ALL ON *.*</query></grants>
    </${APPLICATION_USER}>
  </users>
</clickhouse>
`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
