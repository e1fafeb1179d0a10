import { describe, expect, it } from 'vitest'
import { isForeign, partsOf, shortOrigin } from '../../../src/ui/format/origin.ts'

describe('an origin', () => {
  it('is taken apart', () => {
    expect(partsOf('https://app.example')).toEqual({ scheme: 'https', host: 'app.example', port: '' })
    expect(partsOf('http://localhost:3000')).toEqual({ scheme: 'http', host: 'localhost', port: '3000' })
  })

  it('is shown whole when it is not a URL', () => {
    expect(partsOf('null')).toEqual({ scheme: '', host: 'null', port: '' })
  })

  it('is written in ASCII, and said to be foreign', () => {
    const { host } = partsOf('https://аpple.example')
    expect(host).toBe('xn--pple-43d.example')
    expect(isForeign(host)).toBe(true)
    expect(isForeign('apple.example')).toBe(false)
  })

  it('leaves out https alone in one line', () => {
    expect(shortOrigin('https://app.example:8443')).toBe('app.example:8443')
    expect(shortOrigin('http://localhost:3000')).toBe('http://localhost:3000')
  })
})
