import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in hundredths of a second wherever Node runs on Linux. */
const TICKS_PER_S = 100;
/** Places in /proc/<pid>/stat behind the command's closing bracket. */
const PARENT = 1;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Processor seconds of this process, all threads. */
export function ownCpuS(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Processor seconds of a process's children that run now; undefined where there is no /proc. */
export function childrenCpuS(pid = process.pid): number | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(readStat)
      .filter((fields) => Number(fields[PARENT]) === pid)
      .reduce((sum, fields) => sum + cpuS(fields), 0);
  } catch {
    return undefined;
  }
}

/** Processor seconds of a process, all threads, without its children; undefined where there is no /proc. */
export function processCpuS(pid: number): number | undefined {
  const fields = readStat(String(pid));
  return fields.length === 0 ? undefined : cpuS(fields);
}

function cpuS(fields: readonly string[]): number {
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_S;
}

function readStat(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // Processes end while we look.
    return [];
  }
}
