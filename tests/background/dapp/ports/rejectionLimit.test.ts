import { describe, expect, it } from 'vitest'
import { createRejectionLimit } from '../../../../src/background/dapp/ports/rejectionLimit.ts'

describe('createRejectionLimit', () => {
  it('closes a site for five seconds after more than 100 rejections within ten seconds', () => {
    let clock = 0
    const refusals = createRejectionLimit(() => clock)
    for (let count = 1; count <= 100; count++) expect(refusals.count('https://a.example')).toBe(false)
    expect(refusals.isShut('https://a.example')).toBe(false)
    expect(refusals.count('https://a.example')).toBe(true)
    expect(refusals.isShut('https://a.example')).toBe(true)
    expect(refusals.isShut('https://b.example')).toBe(false)
    clock += 5_000
    expect(refusals.isShut('https://a.example')).toBe(false)
  })

  it('keeps a site closed past the end of the ten-second window', () => {
    let clock = 0
    const refusals = createRejectionLimit(() => clock)
    for (let count = 1; count <= 100; count++) refusals.count('https://a.example')
    clock = 9_999
    expect(refusals.count('https://a.example')).toBe(true)
    clock = 12_000
    refusals.count('https://b.example')
    expect(refusals.isShut('https://a.example')).toBe(true)
  })

  it('forgets the origins of 10,000 old rejections at the next rejection', () => {
    let clock = 0
    const refusals = createRejectionLimit(() => clock)
    for (let site = 0; site < 10_000; site++) {
      clock += 10
      refusals.count(`https://${site}.example`)
    }
    expect(refusals.size()).toBeLessThanOrEqual(1_000)
    clock += 10_000
    refusals.count('https://a.example')
    expect(refusals.size()).toBe(1)
  })
})
