import { beforeEach, describe, expect, it } from 'vitest'
import {
  type BrowserArea,
  evictOnQuotaExceeded,
  type LocalStorage,
  openArea,
} from '../../src/background/storage.ts'
import { memoryArea } from '../helpers/background/memoryArea.ts'

const lists = { 'tokens.1': { list: 1 }, 'tokens.10': { list: 10 } }

let kept: ReturnType<typeof memoryArea>
/** Thrown by the next writes, in order. */
let faults: unknown[]
let isReadable: boolean
let disk: LocalStorage

beforeEach(async () => {
  kept = memoryArea()
  faults = []
  isReadable = true
  await kept.set(lists)
  const area: BrowserArea = {
    async get(key) {
      if (!isReadable) throw new Error('IO error: .../000003.log: FILE_ERROR_IO')
      return key === null ? kept.all() : { [key]: await kept.get(key) }
    },
    async set(items) {
      if (faults.length > 0) throw faults.shift()
      await kept.set(items)
    },
    remove: kept.remove,
    clear: kept.clear,
  }
  disk = evictOnQuotaExceeded(openArea(area))
})

const settings = { settings: { slippageBps: 7 } }
const write = () =>
  disk.set(settings).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('evictOnQuotaExceeded', () => {
  it.each([
    new Error('QUOTA_BYTES quota exceeded'),
    new Error('Resource::kQuotaBytes quota exceeded'),
    new Error('IO error: .../003144.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)'),
    new Error('IO error: .../003144.log: No space left on device'),
    new DOMException('The quota has been exceeded.', 'QuotaExceededError'),
    new Error('QuotaExceededError: storage.local API call exceeded its quota limitations.'),
  ])('evicts token lists when the storage is full: %s', async (fault) => {
    faults = [fault]
    expect(await write()).toBeUndefined()
    expect(await kept.all()).toEqual(settings)
  })

  it.each([
    new Error(
      'IO error: .../003144.log: FILE_ERROR_ACCESS_DENIED (ChromeMethodBFE: 3::WritableFileAppend::8)',
    ),
    new Error('An unexpected error occurred'),
    new Error('Corruption: block checksum mismatch'),
  ])('reports any other error and evicts nothing: %s', async (fault) => {
    faults = [fault]
    expect(await write()).toMatchObject({ code: 'storage-failed', cause: fault })
    expect(await kept.all()).toEqual(lists)
  })

  it('reports the first error when making room fails', async () => {
    const full = new Error('QUOTA_BYTES quota exceeded')
    faults = [full]
    isReadable = false
    expect(await write()).toMatchObject({ code: 'storage-failed', cause: full })
    isReadable = true
    faults = [full, new Error('IO error')]
    expect(await write()).toMatchObject({ code: 'storage-failed', cause: full })
    expect(await kept.all()).toEqual({})
    faults = [full]
    expect(await write()).toMatchObject({ code: 'storage-failed', cause: full })
  })
})
