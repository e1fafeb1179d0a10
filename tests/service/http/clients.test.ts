import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { clientNetworks, createApiKeys, createClientOf } from '../../../service/http/clients.ts'

describe('createApiKeys', () => {
  const holderOf = createApiKeys(new Set(['first-key', 'second-key']))

  it('identifies the holder of a key by a stable hash', () => {
    expect(holderOf('first-key')).toMatch(/^[0-9a-f]{12}$/)
    expect(holderOf('first-key')).toBe(createApiKeys(new Set(['first-key']))('first-key'))
    expect(holderOf('first-key')).not.toBe(holderOf('second-key'))
  })

  it.each(['', 'first', 'first-key ', 'First-key', 'first-key,second-key'])(
    'returns no holder for %j',
    (key) => {
      expect(holderOf(key)).toBeUndefined()
    },
  )
})

describe('clientNetworks', () => {
  const ofDocumentation = ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']

  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['::FFFF:cb00:7107', ['203.0.113.7']],
    ['0:0:0:0:0:ffff:cb00:7107', ['203.0.113.7']],
    ['64:ff9b::203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:2:3:4:5:6', ofDocumentation],
    ['2001:0DB8:0001:0002::9', ofDocumentation],
    ['2001:db8:1:2:3:4:1.2.3.4', ofDocumentation],
    ['2001:db8:1:abcd::', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
    ['::a:b:c:d:1.2.3.4', ['0:0:a:b::/64', '0:0:a:0::/56', '0:0:a::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
    ['', ['']],
  ])('maps the address %s to %j', (address, networks) => {
    expect(clientNetworks(address, undefined, 0)).toEqual(networks)
  })

  it('reads X-Forwarded-For only as far as trusted proxies wrote it', () => {
    const forwarded = '198.51.100.1, 203.0.113.7'
    const of = (header: string | undefined, proxies: number) => clientNetworks('10.0.0.1', header, proxies)
    expect(of(forwarded, 0)).toEqual(['10.0.0.1'])
    expect(of(forwarded, 1)).toEqual(['203.0.113.7'])
    expect(of(forwarded, 2)).toEqual(['198.51.100.1'])
    expect(of(forwarded, 3)).toEqual(['10.0.0.1'])
    expect(of('somebody', 1)).toEqual(['10.0.0.1'])
    expect(of(undefined, 1)).toEqual(['10.0.0.1'])
  })

  it.each([
    ['203.0.113.7:4711', ['203.0.113.7']],
    ['[2001:db8:1:2::9]:443', ofDocumentation],
    ['[2001:db8:1:2::9]', ofDocumentation],
    ['"[2001:db8:1:2::9]:443"', ofDocumentation],
    ['2001:db8:1:2::9', ofDocumentation],
    ['[somebody]:443', ['10.0.0.1']],
    ['203.0.113.7:', ['10.0.0.1']],
  ])(
    'parses the forwarded address %s, or falls back to the socket address if it is invalid',
    (forwarded, networks) => {
      expect(clientNetworks('10.0.0.1', `198.51.100.1, ${forwarded}`, 1)).toEqual(networks)
    },
  )
})

describe('createClientOf', () => {
  function ask(headers: Record<string, string>, url = '/v6.1/5/quote?src=a') {
    return { headers, url, socket: { remoteAddress: '203.0.113.7' } } as unknown as IncomingMessage
  }
  const keys = new Set(['first-key'])
  const holder = createApiKeys(keys)('first-key')

  it('counts a request under its key, wherever it comes from', () => {
    const clientOf = createClientOf(keys, 0)
    expect(clientOf(ask({ authorization: 'Bearer first-key' }))).toEqual([holder])
    expect(clientOf(ask({ authorization: 'bearer first-key', 'x-forwarded-for': '1.1.1.1' }))).toEqual([
      holder,
    ])
  })

  it.each(['Bearer wrong', 'first-key', 'Bearer ', ''])('counts %j under its networks', (authorization) => {
    expect(createClientOf(keys, 0)(ask({ authorization }))).toEqual(['203.0.113.7'])
  })

  it('ignores keys where none are used', () => {
    const clientOf = createClientOf(undefined, 0)
    expect(clientOf(ask({ authorization: 'Bearer first-key' }))).toEqual(['203.0.113.7'])
  })

  it('believes only the own proxies about the network', () => {
    const forged = ask({ 'x-forwarded-for': '9.9.9.9, 198.51.100.3' })
    expect(createClientOf(undefined, 0)(forged)).toEqual(['203.0.113.7'])
    expect(createClientOf(undefined, 1)(forged)).toEqual(['198.51.100.3'])
    expect(createClientOf(undefined, 2)(ask({ 'x-forwarded-for': '2001:db8::1, 10.0.0.1' }))).toEqual([
      '2001:db8:0:0::/64',
      '2001:db8:0:0::/56',
      '2001:db8:0::/48',
    ])
  })

  it.each(['/health', '/ready', '/metrics'])('counts the probe %s apart', (url) => {
    const clientOf = createClientOf(keys, 0)
    expect(clientOf(ask({ authorization: 'Bearer first-key' }, url))).toEqual(['probe 203.0.113.7'])
  })
})
