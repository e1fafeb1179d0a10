import { cpus, loadavg, totalmem } from 'node:os'

export type Machine = ReturnType<typeof thisMachine>

export function thisMachine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[0] ?? 0,
  }
}
