import { DataType, load, open } from 'ffi-rs';

/**
 * Entry of the child process that is the database server. Its arguments are the
 * engine's library and then the engine's own command line. The engine's call
 * runs in a thread of its own and does not return until its script is killed;
 * meanwhile this thread watches stdin, which ends with the parent, however the
 * parent ends. Plain JavaScript: it needs no loader from sources, which costs as much as the engine's start.
 */
const [library = '', ...args] = process.argv.slice(2);
process.stdin.on('end', end).on('error', end).resume();
// Everything that the engine writes is for our user alone.
process.umask(0o077);
open({ library: 'engine', path: library });
// Its handlers would hold a process that is lost for seconds more, to write down where it was.
load({
  library: 'engine',
  funcName: 'chdb_set_signal_handlers_enabled',
  retType: DataType.Void,
  paramsType: [DataType.I32],
  paramsValue: [0],
});
const argv = ['clickhouse', ...args];
await load({
  library: 'engine',
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
  runInNewThread: true,
});
end();

/**
 * The engine's threads do not survive an orderly exit of the process around
 * them, and its data needs none: parts are renamed into place whole and never changed.
 */
function end() {
  process.kill(process.pid, 'SIGKILL');
}
