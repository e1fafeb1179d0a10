import { describe, expect, it } from 'vitest'
import { confusables } from '../../../src/domain/token/confusables.ts'
import { isForeign, isIpAddress, shortOrigin, splitOrigin } from '../../../src/ui/format/origin.ts'

describe('origins', () => {
  it('splits an origin into scheme, host and port', () => {
    expect(splitOrigin('https://app.example')).toEqual({ scheme: 'https', host: 'app.example', port: '' })
    expect(splitOrigin('http://localhost:3000')).toEqual({ scheme: 'http', host: 'localhost', port: '3000' })
  })

  it('tells an IP address, however it is written, from a name', () => {
    const isIp = (origin: string) => isIpAddress(splitOrigin(origin).host)
    for (const origin of ['http://127.0.0.1:8080', 'http://2130706433', 'http://0x7f.1', 'http://[::1]:3000'])
      expect(isIp(origin), origin).toBe(true)
    for (const origin of ['http://localhost', 'https://1inch.example', 'https://1.2.3.4.example', 'null'])
      expect(isIp(origin), origin).toBe(false)
  })

  it('returns text that is not a URL as the host', () => {
    expect(splitOrigin('null')).toEqual({ scheme: '', host: 'null', port: '' })
  })

  it('converts an internationalised host to punycode and marks it as foreign', () => {
    const { host } = splitOrigin('https://аpple.example')
    expect(host).toBe('xn--pple-43d.example')
    expect(isForeign(host)).toBe(true)
    expect(isForeign('apple.example')).toBe(false)
  })

  it('converts every valid host with a confusable character to punycode and marks it as foreign', () => {
    const counts = { foreign: 0, same: 0, none: 0 }
    // Excludes `$`, which is ASCII.
    for (const [sign, letter] of [...confusables].filter(([each]) => each > '~')) {
      const origin = `https://w${sign}llet.example`
      if (!URL.canParse(origin)) {
        counts.none++
        continue
      }
      const { host } = splitOrigin(new URL(origin).origin)
      expect(host).toMatch(/^[!-~]+$/)
      if (isForeign(host)) {
        expect(host).toMatch(/^xn--/)
        counts.foreign++
      } else {
        // The browser opens the site of the ASCII letters it maps these to.
        expect([sign, host]).not.toEqual([sign, `w${sign}llet.example`])
        expect(host.length, `${sign} for ${letter}`).toBeGreaterThanOrEqual('wllet.example'.length)
        counts.same++
      }
    }
    expect(counts).toEqual({ foreign: 458, same: 0, none: 12 })
  })

  it('omits only the https scheme in the one-line form', () => {
    expect(shortOrigin('https://app.example:8443')).toBe('app.example:8443')
    expect(shortOrigin('http://localhost:3000')).toBe('http://localhost:3000')
  })
})
