import { expect, it } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { clearErrorLog, logError, readErrorLog } from '../../src/ui/errorLog.ts'

function standInStorage(items: Record<string, string> = {}): Storage {
  return {
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      items[key] = value
    },
    removeItem(key: string) {
      delete items[key]
    },
  } as Storage
}

it('logs each error once and keeps only code and time of the last twenty', () => {
  const storage = standInStorage()
  const memory = () => storage
  const error = new WalletError('node-timeout', 'Nobody at https://secret.example.', { url: 'secret' })
  logError(error, memory)
  logError(error, memory)
  expect(readErrorLog(memory)).toEqual([{ code: 'node-timeout', at: expect.any(Number) }])
  expect(storage.getItem('faults')).not.toContain('secret')
  for (let times = 0; times < 30; times++) logError(new WalletError('no-route', 'None.'), memory)
  const faults = readErrorLog(memory)
  expect(faults).toHaveLength(20)
  expect(faults.every(({ code }) => code === 'no-route')).toBe(true)
  clearErrorLog(memory)
  expect(storage.getItem('faults')).toBeNull()
})

it('ignores invalid stored entries and works without storage', () => {
  const of = (faults: string) => readErrorLog(() => standInStorage({ faults }))
  expect(of('{')).toEqual([])
  expect(of('{"code":"x"}')).toEqual([])
  expect(of('[null, 1, {"code":"A b","at":1}, {"code":"no-route","at":"1"}]')).toEqual([])
  const refused = () => {
    throw new Error('No storage here.')
  }
  logError(new WalletError('no-route', 'None.'), refused)
  expect(readErrorLog(refused)).toEqual([])
})
