import { describe, expect, it } from 'vitest'
import { redactSecrets } from '../../src/domain/sanitize.ts'

const key = 'a0b1c2d3e4f5-KEY'
const url = `https://node.example/v3/${key}`
const escaped = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

describe('redactSecrets', () => {
  it('redacts the key in nested strings and in property names', () => {
    const said = { code: 3, message: `no: ${url}`, data: [{ [key]: null, at: [`key=${key}&x`] }] }
    expect(redactSecrets(said, url)).toEqual({
      code: 3,
      message: 'no: https://node.example/v3/…',
      data: [{ '…': null, at: ['key=…&x'] }],
    })
  })

  it('redacts a fully or partly percent-encoded key and the decoded form of an encoded one', () => {
    const ways = [escaped(key), `${escaped(key.slice(0, 3)).toUpperCase()}${key.slice(3)}`]
    for (const way of ways) expect(redactSecrets(`100% of ${way}`, url)).toBe('100% of …')
    const odd = 'a0b1c2d3+e4f5/=='
    const sent = `https://node.example/v3/${encodeURIComponent(odd)}`
    expect(redactSecrets(`no: ${odd}`, sent)).toBe('no: …')
    expect(redactSecrets(`no: ${sent}`, sent)).toBe('no: https://node.example/v3/…')
    expect(redactSecrets('no: 100%25abcdefghijkl', '100%abcdefghijkl')).toBe('no: …')
  })

  it('redacts a known key completely, including a short one and one that looks like a path', () => {
    for (const known of ['abcdefghij/klmnopqrs', 'k-12', 'a=b.c/d+=='])
      for (const way of [known, encodeURIComponent(known)])
        expect(redactSecrets({ [way]: `no: ${way}!` }, '', known)).toEqual({ '…': 'no: …!' })
    expect(redactSecrets('no: a key', '', 'a')).toBe('no: a key')
  })

  it('leaves other values unchanged', () => {
    const said = ['50%25 of a%20b', 7, null, true, { name: 'v3', __proto: 1 }]
    expect(redactSecrets(said, url)).toEqual(said)
    expect(redactSecrets('node v3', '')).toBe('node v3')
  })

  it('replaces values nested deeper than 20 levels', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(JSON.stringify(redactSecrets(deep, url))).toBe(`${'['.repeat(20)}"…"${']'.repeat(20)}`)
  })
})
