import { describe, expect, it } from 'vitest'
import { checkSiwe, parseSiwe } from '../../../src/domain/signing/siwe.ts'
import type { Address } from '../../../src/domain/token/token.ts'

// Cases of spruceid/siwe (MIT or Apache 2.0),
// test/{parsing_positive,parsing_negative,invalid_uris,valid_chars,invalid_chars}.json, under their names
// there.

const statement = 'I accept the ServiceOrg Terms of Service: https://service.org/tos'
const login = 'https://service.org/login'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

const lines = {
  head: 'service.org wants you to sign in with your Ethereum account:',
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  gap: '',
  statement: `${statement}\n`,
  uri: `URI: ${login}`,
  version: 'Version: 1',
  chain: 'Chain ID: 1',
  nonce: 'Nonce: 32891757',
  issued: 'Issued At: 2021-09-30T16:25:24.000Z',
}
const rest = {
  expires: 'Expiration Time: 2023-03-17T12:45:13.610Z',
  begins: 'Not Before: 2022-03-17T12:45:13.610Z',
  request: 'Request ID: some_id',
  resources: `Resources:\n- ${login}`,
}
type Lines = Partial<typeof lines & typeof rest>
const short = (changes: Lines = {}) => Object.values({ ...lines, ...changes }).join('\n')
const full = (changes: Lines = {}) =>
  Object.values({
    ...lines,
    address: '0xe5A12547fe4E872D192E3eCecb76F2Ce1aeA4946',
    ...rest,
    ...changes,
  }).join('\n')
const swapped = (one: string, other: string, text = full()) =>
  text.replace(`${one}\n${other}`, `${other}\n${one}`)

const faults = (text: string, origin = 'https://service.org') => {
  const siwe = parseSiwe(text)
  if (siwe === undefined) return ['is none']
  return checkSiwe(siwe, { origin, account: weth, chainId: 1, now: Date.parse('2022-06-01') })
}

describe('messages that spruceid/siwe accepts', () => {
  const named = (domain: string) => short({ head: lines.head.replace('service.org', domain) })
  const resources = [
    'ipfs://Qme7ss3ARVgxv6rXqVPiikMJ8u2NLgmgszg13pYrDKEoiu',
    'https://example.com/my-web2-claim.json',
  ]
  const listed = `${short()}\nResources:\n- ${resources.join('\n- ')}`

  it.each<[string, string, object, object?]>([
    ['couple of optional fields', listed, { domain: 'service.org' }, { statement, resources }],
    ['no optional field', short(), { domain: 'service.org' }, { statement, resources: [] }],
    ['timestamp without microseconds', short({ issued: 'Issued At: 2021-09-30T16:25:24Z' }), {}],
    ['domain is RFC 3986 authority with IP', named('127.0.0.1'), { domain: '127.0.0.1' }],
    ['domain is RFC 3986 authority with userinfo', named('test@127.0.0.1'), { domain: 'test@127.0.0.1' }],
    ['domain is RFC 3986 authority with port', named('127.0.0.1:8080'), { domain: '127.0.0.1:8080' }],
    [
      'domain is RFC 3986 authority with userinfo and port',
      named('test@127.0.0.1:8080'),
      { domain: 'test@127.0.0.1:8080' },
    ],
    ['no statement', short({ statement: '' }), { domain: 'service.org' }],
  ])('parses the vector: %s', (_name, text, head, details = {}) => {
    expect(parseSiwe(text)).toMatchObject({
      address: weth,
      ...head,
      details: {
        uri: login,
        chainId: 1,
        nonce: '32891757',
        issuedAt: Date.parse('2021-09-30T16:25:24Z'),
        ...details,
      },
    })
  })

  it('reports the domain of each message on another site', () => {
    for (const text of [listed, short(), named('127.0.0.1'), named('test@127.0.0.1:8080')]) {
      expect(faults(text, 'https://evil.example')).toContain('domain')
    }
  })
})

describe('messages that spruceid/siwe rejects', () => {
  const noChain = (text: string) => text.replace('Chain ID: 1\n', '')
  const day = 'Wed Oct 05 2011 16:48:00 GMT+0200 (CEST)'

  it.each<[string, string]>([
    ['missing mandatory field', noChain(short()).replace(`URI: ${login}\n`, '')],
    ['extra line breaks', noChain(short({ gap: '\n' }))],
    ['non-ISO datetime', noChain(short({ issued: `Issued At: ${day}` }))],
    [
      'out of order fields',
      noChain(short()).replace(`URI: ${login}\n`, '').replace('Issued', `URI: ${login}\nIssued`),
    ],
    ['wrong version', noChain(short({ version: 'Version: 2' }))],
    ['missing domain', full({ head: lines.head.replace('service.org', '') })],
    ['missing address', full({ address: '' })],
    ['missing uri', full({ uri: '' })],
    ['missing version', full({ version: '' })],
    ['missing chainId', full({ chain: '' })],
    ['missing nonce', full({ nonce: '' })],
    ['missing issuedAt', full({ issued: '' })],
    ['out of order uri', swapped(lines.uri, lines.version)],
    ['out of order version', swapped(lines.version, lines.chain)],
    ['out of order chainId', full({ chain: lines.nonce + lines.chain, nonce: '' })],
    ['out of order nonce', swapped(lines.nonce, lines.issued)],
    ['out of order issuedAt', swapped(lines.issued, rest.expires)],
    ['out of order expirationTime', swapped(rest.expires, rest.begins)],
    ['out of order notBefore', swapped(rest.begins, rest.request)],
    ['out of order requestId', swapped(rest.request, rest.resources)],
    [
      'out of order resources',
      full({ begins: rest.resources, request: rest.begins, resources: rest.request }),
    ],
    ['statement has line break', full({ statement: `${statement.replace('https', '\nhttps')}\n` })],
    ['uri is non-RFC 3986', full({ uri: 'URI: _not_a_rfc3986_valid_uri_' })],
    ['not a valid chainId', full({ chain: 'Chain ID: ?' })],
    ['nonce with less then 8 chars', full({ nonce: 'Nonce: 1234567' })],
    ['non-ISO 8601 issuedAt', full({ issued: `Issued At: ${day}` })],
    ['non-ISO 8601 expirationTime', full({ expires: `Expiration Time: ${day}` })],
    ['non-ISO 8601 notBefore', full({ begins: `Not Before: ${day}` })],
    ['resources not separated by line break', full({ resources: `${rest.resources} - ${login}/2` })],
    ['first resource is not-RFC3986', full({ resources: `${rest.resources}\n- _not_a_rfc3986_valid_uri_` })],
    [
      'second resource not-RFC 3986',
      full({ resources: `Resources:\n- _not_a_rfc3986_valid_uri_\n- ${login}` }),
    ],
  ])('reports the vector as malformed: %s', (_name, text) => {
    expect(faults(text)).toContain('malformed')
  })

  it('does not report a single-case address or an underscore in the domain as malformed', () => {
    const small = full({ address: '0xe5a12547fe4e872d192e3ececb76f2ce1aea4946' })
    expect(faults(small)).toEqual(['address'])
    const underscore = full({ head: lines.head.replace('service.org', 'not_rfc4501') })
    expect(faults(underscore)).toEqual(['domain', 'address'])
  })

  it.each([
    '[::0.0.0.256]/p/path',
    '[::300.0.0.0]/p/path',
    '[::0.ff.0.255]',
    '[::0.0.256.0]',
    '[ffff:abcd:0:10:200:3000:f8a:1:ffff]',
    '[ffff:abcd:0:10:200:3000:f8a]',
    '[ffff:abcd:0:10:200:3000:ff:255.255.255.255]',
    '[::1:2:3:4:5:6:7:8]',
    '[::1:2:3:4:5:6:198.162.10.255]',
    '[1:2:3:4:5:6:7:8::]',
    '[1:2:3:4:5:6::198.162.10.255]',
    '[1:2:3:4:5::6:7:8]',
    '[1:2:3:4:5::6:198.162.10.255]',
    'user:pass@example.com:123/one/two.three ?q1=a1&q2=a2#body',
    'user:pass@example.com:123/one/two.three?q1=a1&q2=a2 #body',
  ])('reports an invalid URI: uri://%s', (rest) => {
    for (const scheme of ['uri', 'https']) {
      const found = faults(short({ statement: '', uri: `URI: ${scheme}://${rest}` }))
      expect(found.some((fault) => fault === 'uri' || fault === 'malformed')).toBe(true)
    }
    expect(faults(short({ uri: `URI: ://${rest}` }))).toContain('malformed')
  })
})

describe('RFC 3986 characters', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const marks = "-._~!$&'()*+,;="
  const encoded = '%00%ff%FF%0a%0A%20'
  const heads: Record<string, (text: string) => string> = {
    scheme: (text) => `${text}://service.org`,
    userinfo: (text) => `${text}@service.org`,
    'reg-name': (text) => text,
  }
  const domainIn = (rule: string, text: string) =>
    parseSiwe(short({ head: lines.head.replace('service.org', () => heads[rule]!(text)) }))?.domain
  const request = (text: string) => parseSiwe(`${short()}\nRequest ID: ${text}`)?.details

  it('accepts all permitted characters', () => {
    expect(domainIn('scheme', `${letters}+-.`)).toBe('service.org')
    for (const rule of ['userinfo', 'reg-name']) {
      const text = `${letters}${marks}${rule === 'userinfo' ? ':' : ''}${encoded}`
      expect(domainIn(rule, text)).toBe(heads[rule]!(text))
    }
    expect(request(`${letters}${marks}:@${encoded}`)?.requestId).toBe(`${letters}${marks}:@${encoded}`)
    const fragment = `URI: ${login}#${letters}${marks}:@${encoded}/?`
    expect(faults(short({ uri: fragment }))).toEqual([])
    expect(request(' ')).toBeUndefined()
  })

  it.each<[string, string[]]>([
    ['scheme', [` ${letters}+-.`, ':', '#', '?', '@', '!', '~']],
    ['userinfo', ['/', '#', '?', '@', '[', ']']],
    ['reg-name', ['/', '#', '?', '@', '[', ']']],
  ])('rejects other characters in the %s', (rule, inputs) => {
    for (const input of inputs) expect(domainIn(rule, input), input).toBeUndefined()
  })

  it('rejects other characters in the request id', () => {
    for (const input of ['^', '`', '|', '%', '?', '#', '[']) expect(request(input), input).toBeUndefined()
  })

  it('reports the domain of an invalid or future IP literal as another site’s', () => {
    for (const host of [`v123.${letters}${marks}:`, '/', '#', '?', '@', '[', ']']) {
      expect(faults(short({ head: lines.head.replace('service.org', () => `[${host}]`) }))).toContain(
        'domain',
      )
    }
  })
})
