import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Ends the browser of a profile as a crash would: SIGKILL, after which its other processes end by themselves. Throws an Error when none
 * is found.
 */
export function crash(profile: string): void {
  const [browser] = listProcesses(profile)
  if (browser === undefined) throw new Error(`No browser runs with the profile ${profile}.`)
  process.kill(browser.pid, 'SIGKILL')
}

export type Process = { pid: number; parent: number; command: string[]; type: string }

/** The browser of a profile, first, and all processes below it. None where it does not run, or there is no /proc to read. */
export function listProcesses(profile: string): Process[] {
  if (!existsSync('/proc')) return []
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap(readProcess)
  const found = all.filter(
    ({ command, type }) => type === 'browser' && command.includes(`--user-data-dir=${profile}`),
  )
  // It grows while it is walked.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid))
  return found
}

function readProcess(pid: number): Process[] {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    // A process that wrote a title of its own over it has spaces between.
    const command = text.split(text.includes('\0--') ? '\0' : ' ')
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')
    const type = command.find((one) => one.startsWith('--type='))?.slice('--type='.length) ?? 'browser'
    return [{ pid, parent: Number(parent), command, type }]
  } catch {
    // It ended meanwhile.
    return []
  }
}
