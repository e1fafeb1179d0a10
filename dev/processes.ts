import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Throws when no browser runs. */
export function crash(profile: string): void {
  const [browser] = listProcesses(profile)
  if (browser === undefined) throw new Error(`No browser runs with the profile ${profile}.`)
  process.kill(browser.pid, 'SIGKILL')
}

export type Process = { pid: number; parent: number; command: string[]; type: string }

/** Browser first; empty without /proc. */
export function listProcesses(profile: string): Process[] {
  if (!existsSync('/proc')) return []
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap(readProcess)
  const found = all.filter(
    ({ command, type }) => type === 'browser' && command.includes(`--user-data-dir=${profile}`),
  )
  // Grows during iteration.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

function readProcess(pid: number): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    // Custom titles use spaces.
    const command = text.split(text.includes('\0--') ? '\0' : ' ')
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')
    const type = command.find((one) => one.startsWith('--type='))?.slice('--type='.length) ?? 'browser'
    return [{ pid, parent: Number(parent), command, type }]
  } catch {
    // The process has ended.
    return []
  }
}
