import { describe, expect, it } from 'vitest'
import { cached } from '../../../src/lib/async/cached.ts'

function slow() {
  const reads: { resolve(value: string): void; reject(error: Error): void }[] = []
  const one = cached(() => new Promise<string>((resolve, reject) => reads.push({ resolve, reject })))
  return { ...one, reads }
}

const failed = new Error('The storage failed.')

describe('cached', () => {
  it('reads once for concurrent and later calls', async () => {
    const { get, reads } = slow()
    const both = Promise.all([get(), get()])
    reads[0]?.resolve('a')
    expect(await both).toEqual(['a', 'a'])
    expect(await get()).toBe('a')
    expect(reads).toHaveLength(1)
  })

  it('reads again after a failed read and after forget', async () => {
    const { get, forget, reads } = slow()
    const first = get()
    reads[0]?.reject(failed)
    await expect(first).rejects.toBe(failed)
    const second = get()
    reads[1]?.resolve('b')
    expect(await second).toBe('b')
    forget()
    const third = get()
    reads[2]?.resolve('c')
    expect(await third).toBe('c')
  })

  it('returns a set value without a read', async () => {
    const { get, set, reads } = slow()
    set('mine')
    expect(await get()).toBe('mine')
    expect(reads).toEqual([])
  })

  it('keeps a value that was set during a failing read', async () => {
    const { get, set, reads } = slow()
    const first = get()
    set('mine')
    reads[0]?.reject(failed)
    await expect(first).rejects.toBe(failed)
    expect(await get()).toBe('mine')
    expect(reads).toHaveLength(1)
  })

  it('keeps the later read when an earlier, forgotten read fails', async () => {
    const { get, forget, reads } = slow()
    const first = get()
    forget()
    const second = get()
    reads[0]?.reject(failed)
    await expect(first).rejects.toBe(failed)
    reads[1]?.resolve('b')
    expect(await Promise.all([second, get()])).toEqual(['b', 'b'])
    expect(reads).toHaveLength(2)
  })
})
