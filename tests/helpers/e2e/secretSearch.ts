import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { listProcesses } from '../../../dev/processes.ts'

// Searches a browser's process memory and profile files for secrets.

/** Search patterns by name. A string matches in UTF-8 and UTF-16. */
export type Needles = Record<string, string | Uint8Array>

/** Hit counts by name and place. Without entry: not found. */
export type Finds = Record<string, number>

/** Returns why memory cannot be searched here, or undefined. */
export function whyNoMemory(): string | undefined {
  if (process.platform !== 'linux') return 'Only Linux shows the memory of a process as a file.'
  return process.getuid?.() === 0 ? undefined : 'The memory of another process is for root alone.'
}

/** Searches the writable memory of a browser and its renderers. `profile` identifies the browser. */
export function searchMemory(profile: string, needles: Needles): { finds: Finds; megabytes: number } {
  const finds: Finds = {}
  let bytes = 0
  for (const { pid, type } of listProcesses(profile)) {
    // GPU and zygote processes handle no secrets.
    if (type !== 'browser' && type !== 'renderer') continue
    bytes += eachPiece(pid, (piece) => count(piece, needles, type, finds))
  }
  return { finds, megabytes: Math.round(bytes / 1e6) }
}

/** Searches all files below a folder. */
export function searchFiles(folder: string, needles: Needles): { finds: Finds; files: string[] } {
  const finds: Finds = {}
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) count(readFileSync(file), needles, file.slice(folder.length + 1), finds)
  return { finds, files }
}

function count(bytes: Buffer, needles: Needles, where: string, finds: Finds): void {
  for (const [name, needle] of Object.entries(needles)) {
    if (needle.length < 5) throw new Error(`${name} is too short to be looked for.`)
    for (const [written, form] of formsOf(needle)) {
      for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + form.length)) {
        const key = `${name}, ${written}, ${where}`
        finds[key] = (finds[key] ?? 0) + 1
      }
    }
  }
}

function formsOf(needle: string | Uint8Array): [string, Buffer][] {
  if (typeof needle !== 'string') return [['bytes', Buffer.from(needle)]]
  return [
    ['UTF-8', Buffer.from(needle)],
    ['UTF-16', Buffer.from(needle, 'utf16le')],
  ]
}

const pieceBytes = 8 * 1024 * 1024
/** Overlap of chunks, so that hits across a boundary are found. */
const overlap = 4_096

/** Passes the used writable memory of a process to `use` in chunks. Returns its bytes. */
function eachPiece(pid: number, use: (piece: Buffer) => void): number {
  let total = 0
  let memory: number
  try {
    memory = openSync(`/proc/${pid}/mem`, 'r')
  } catch {
    return 0
  }
  try {
    for (const { from, to } of usedParts(pid)) {
      for (let at = from; at < to; at += pieceBytes) {
        const start = Math.max(from, at - overlap)
        const piece = Buffer.alloc(Math.min(to, at + pieceBytes) - start)
        try {
          const read = readSync(memory, piece, 0, piece.length, start)
          total += read
          use(piece.subarray(0, read))
        } catch {
          // The region was unmapped or is not readable.
        }
      }
    }
  } finally {
    closeSync(memory)
  }
  return total
}

type Part = { from: number; to: number }

const pageBytes = 4_096

/** Reserved memory is many times the used memory, so only present pages are read. */
function usedParts(pid: number): Part[] {
  const parts: Part[] = []
  const map = openSync(`/proc/${pid}/pagemap`, 'r')
  try {
    for (const { from, to } of regionsOf(pid)) {
      const entries = Buffer.alloc(((to - from) / pageBytes) * 8)
      const read = readSync(map, entries, 0, entries.length, (from / pageBytes) * 8)
      let last: Part | undefined
      for (let entry = 0; entry < read; entry += 8) {
        // Present or swapped: the two highest of 64 bits (kernel admin-guide/mm/pagemap).
        if ((entries[entry + 7] ?? 0) < 0x40) continue
        const at = from + (entry / 8) * pageBytes
        if (last?.to === at) last.to += pageBytes
        else {
          last = { from: at, to: at + pageBytes }
          parts.push(last)
        }
      }
    }
  } finally {
    closeSync(map)
  }
  return parts
}

function regionsOf(pid: number): Part[] {
  return readFileSync(`/proc/${pid}/maps`, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, from, to] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? []
      return from && to ? { from: parseInt(from, 16), to: parseInt(to, 16) } : []
    })
}
