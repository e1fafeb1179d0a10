import { describe, expect, it } from 'vitest'
import { cached } from '../../../src/lib/async/cached.ts'

function slow() {
  const reads: { resolve(value: string): void; reject(error: Error): void }[] = []
  const one = cached(() => new Promise<string>((resolve, reject) => reads.push({ resolve, reject })))
  return { ...one, reads }
}

const failed = new Error('The storage failed.')

describe('what is remembered', () => {
  it('is read once, however many ask', async () => {
    const { get, reads } = slow()
    const both = Promise.all([get(), get()])
    reads[0]?.resolve('a')
    expect(await both).toEqual(['a', 'a'])
    expect(await get()).toBe('a')
    expect(reads).toHaveLength(1)
  })

  it('is read again after a read that failed, and after it was forgotten', async () => {
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

  it('is what was set, without a read', async () => {
    const { get, set, reads } = slow()
    set('mine')
    expect(await get()).toBe('mine')
    expect(reads).toEqual([])
  })

  it('stays what was set while a read was under way that fails', async () => {
    const { get, set, reads } = slow()
    const first = get()
    set('mine')
    reads[0]?.reject(failed)
    await expect(first).rejects.toBe(failed)
    expect(await get()).toBe('mine')
    expect(reads).toHaveLength(1)
  })

  it('stays what a later read says when an earlier one, forgotten by then, fails', async () => {
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
