import { describe, expect, it } from 'vitest'
import { checkSiwe, parseSiwe } from '../../../src/domain/signing/siwe.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const account: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

/** EIP-4361. */
const example = `service.org wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ServiceOrg Terms of Service: https://service.org/tos

URI: https://service.org/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`

const full = example
  .replace('service.org wants', 'https://service.org wants')
  .replace(
    '\nResources:',
    '\nExpiration Time: 2021-09-30T17:25:24.000Z\nNot Before: 2021-09-30T18:20:00+02:00\nRequest ID: some_id-1\nResources:',
  )

const asked = {
  origin: 'https://service.org',
  account,
  chainId: 1,
  now: Date.parse('2021-09-30T16:30:00Z'),
}
const check = (text: string, changes: Partial<typeof asked> = {}) => {
  const siwe = parseSiwe(text)
  return siwe === undefined ? expect.fail('was not read') : checkSiwe(siwe, { ...asked, ...changes })
}
const named = (domain: string) => example.replace('service.org wants', `${domain} wants`)

describe('parseSiwe', () => {
  it('parses the example of EIP-4361', () => {
    expect(parseSiwe(example)).toEqual({
      domain: 'service.org',
      address: account,
      details: {
        statement: 'I accept the ServiceOrg Terms of Service: https://service.org/tos',
        uri: 'https://service.org/login',
        chainId: 1,
        nonce: '32891756',
        issuedAt: Date.parse('2021-09-30T16:25:24Z'),
        resources: [
          'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
          'https://example.com/my-web2-claim.json',
        ],
      },
    })
  })

  it('parses every field', () => {
    expect(parseSiwe(full)).toMatchObject({
      scheme: 'https',
      domain: 'service.org',
      details: {
        expiresAt: Date.parse('2021-09-30T17:25:24Z'),
        notBefore: Date.parse('2021-09-30T16:20:00Z'),
        requestId: 'some_id-1',
      },
    })
  })

  it('parses a message without optional fields', () => {
    const statement = 'I accept the ServiceOrg Terms of Service: https://service.org/tos\n'
    const least = example.replace(statement, '').replace(/\nResources:.*$/s, '')
    const { details } = parseSiwe(least) ?? {}
    expect(details).toMatchObject({ uri: 'https://service.org/login', resources: [] })
    expect(details).not.toHaveProperty('statement')
    expect(parseSiwe(`${least}\nRequest ID: \nResources:`)?.details).toMatchObject({
      requestId: '',
      resources: [],
    })
  })

  it('accepts statements in any language and statements that look like a field', () => {
    for (const statement of ['Ich stimme zu – „ja“', 'URI: https://evil.example', '同意します']) {
      const text = example.replace(/I accept .*/, statement)
      expect(parseSiwe(text)?.details).toMatchObject({ statement, uri: 'https://service.org/login' })
    }
  })

  it.each([
    'service.org',
    'service.org:8443',
    'localhost:3000',
    '127.0.0.1',
    '127.0.0.1:8080',
    'test@127.0.0.1',
    'test:pass@127.0.0.1:8080',
    '[::1]',
    '[2001:db8::7]:3000',
    'user@[::1]:3000',
    'a%20b.example',
    'service_org',
    'xn--bcher-kva.example',
  ])('parses the authority %s', (domain) => {
    expect(parseSiwe(named(domain))?.domain).toBe(domain)
    expect(parseSiwe(named(domain))?.details).toBeDefined()
    expect(parseSiwe(named(`http://${domain}`))).toMatchObject({ scheme: 'http', domain })
  })

  it.each([
    '',
    ' service.org',
    'service.org/login',
    'service.org?x',
    'https://',
    'https://https://service.org',
    'a@b@service.org',
    'bücher.example',
    '[::1',
    'service.org:port',
    'Hello!\nservice.org',
    'service%zz.org',
  ])('finds no domain in %j', (domain) => {
    const siwe = parseSiwe(named(domain))
    expect(siwe).toBeDefined()
    expect(siwe?.domain).toBeUndefined()
    expect(siwe?.details).toBeUndefined()
  })

  it('returns undefined for other messages', () => {
    expect(parseSiwe('')).toBeUndefined()
    expect(parseSiwe('Sign in to service.org')).toBeUndefined()
  })
})

describe('checkSiwe', () => {
  it('accepts a site’s own message', () => {
    expect(check(example)).toEqual([])
    expect(check(full)).toEqual([])
  })

  it('compares the domain with the site’s host and port', () => {
    const cases: [string, string, boolean][] = [
      ['service.org', 'https://service.org', true],
      ['Service.ORG', 'https://service.org', true],
      ['service.org:443', 'https://service.org', true],
      ['service.org:80', 'http://service.org', true],
      ['service.org:80', 'https://service.org', false],
      ['service.org', 'https://service.org:8443', false],
      ['service.org:8443', 'https://service.org:8443', true],
      ['service.org:8443', 'https://service.org', false],
      ['localhost:3000', 'http://localhost:3000', true],
      ['[::1]:3000', 'http://[::1]:3000', true],
      ['[::1]', 'http://[::1]:3000', false],
      ['[::2]:3000', 'http://[::1]:3000', false],
      ['https://service.org', 'https://service.org', true],
      ['HTTPS://service.org', 'https://service.org', true],
      ['http://service.org', 'https://service.org', false],
      ['service.org', 'https://evil.example', false],
      ['service.org', 'https://www.service.org', false],
      ['www.service.org', 'https://service.org', false],
      ['service.org', 'https://service.org.evil.example', false],
      ['service.org@evil.example', 'https://evil.example', false],
      ['evil.example@service.org', 'https://evil.example', false],
      ['user@service.org', 'https://service.org', false],
      ['xn--bcher-kva.example', 'https://xn--bcher-kva.example', true],
    ]
    for (const [domain, origin, fits] of cases) {
      expect(check(named(domain), { origin }).includes('domain'), `${domain} on ${origin}`).toBe(!fits)
    }
  })

  it('reports a message without a readable domain as malformed and as another site’s', () => {
    const hidden = `Welcome!\n${example}`
    expect(check(hidden)).toEqual(['malformed', 'domain'])
    expect(check(named('service.org/x'))).toEqual(['malformed', 'domain'])
  })

  it('compares account, chain and URI', () => {
    expect(check(example, { account: `0x${'ab'.repeat(20)}` })).toEqual(['address'])
    expect(check(example, { chainId: 31337 })).toEqual(['chain'])
    for (const uri of [
      'https://evil.example/login',
      'http://service.org/login',
      'https://service.org.evil.example',
      'https://service.org@evil.example',
      'wss://evil.example',
      'ftp://evil.example',
      'blob:https://evil.example/1',
      'https:',
    ]) {
      expect(check(example.replace('https://service.org/login', uri)), uri).toEqual(['uri'])
    }
  })

  it.each([
    'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
    'did:pkh:eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb',
    'did:web:evil.example',
    'urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
    'mailto:someone@evil.example',
    'service.app://login',
    'wss://service.org/login',
  ])('accepts the URI %s, which belongs to no other site', (uri) => {
    const text = example.replace('https://service.org/login', uri)
    expect(check(text)).toEqual([])
    expect(parseSiwe(text)?.details?.uri).toBe(uri)
    expect(check(text, { origin: 'https://evil.example' })).toContain('domain')
  })

  it('compares the validity times with the clock', () => {
    const ends = Date.parse('2021-09-30T17:25:24Z')
    const begins = Date.parse('2021-09-30T16:20:00Z')
    expect(check(full, { now: ends - 1 })).toEqual([])
    expect(check(full, { now: ends })).toEqual(['expired'])
    expect(check(full, { now: begins })).toEqual([])
    expect(check(full, { now: begins - 1 })).toEqual(['not-yet-valid'])
  })

  it.each([
    ['a missing field', (text: string) => text.replace('Chain ID: 1\n', '')],
    ['a field in another case', (text: string) => text.replace('URI:', 'Uri:')],
    ['fields in another order', (text: string) => text.replace(/(Version: 1\n)(Chain ID: 1\n)/, '$2$1')],
    ['a line break in the statement', (text: string) => text.replace('Terms', '\nTerms')],
    ['another line between', (text: string) => text.replace('\n\nURI', '\n\n\nURI')],
    ['no line between', (text: string) => text.replace('\n\nURI', '\nURI')],
    ['another version', (text: string) => text.replace('Version: 1', 'Version: 2')],
    ['a chain that is no number', (text: string) => text.replace('Chain ID: 1', 'Chain ID: ?')],
    ['a short nonce', (text: string) => text.replace('32891756', '3289175')],
    ['a nonce with other characters', (text: string) => text.replace('32891756', '32891756-')],
    ['a time in another form', (text: string) => text.replace('2021-09-30T16:25:24Z', 'Thu Sep 30 2021')],
    ['a day that is none', (text: string) => text.replace('2021-09-30T', '2021-09-31T')],
    ['an hour that is none', (text: string) => text.replace('T16:', 'T26:')],
    ['a URI that is none', (text: string) => text.replace('https://service.org/login', '_login_')],
    ['a resource that is none', (text: string) => `${text}\n- _claim_`],
    ['resources on one line', (text: string) => `${text} - https://service.org/2`],
    ['something behind the end', (text: string) => `${text}\n`],
    ['line ends of two characters', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('reports a message with %s as malformed', (_what, change) => {
    expect(check(change(example))).toContain('malformed')
  })

  it.each([
    ['in another case', (text: string) => text.replace('Ethereum account', 'ethereum Account')],
    ['with two blanks', (text: string) => text.replace('sign in', 'sign  in')],
    ['with a line break', (text: string) => text.replace('your Ethereum', 'your\nEthereum')],
    ['with an invisible letter', (text: string) => text.replace('sign in', 'sign\u200b in')],
    ['with a soft hyphen', (text: string) => text.replace('Ethereum', 'Ether\u00adeum')],
    ['with a no-break space', (text: string) => text.replace('wants you', 'wants\u00a0you')],
    ['for another chain', (text: string) => text.replace('Ethereum account', 'Ronin account')],
    ['after other text', (text: string) => `Welcome!\n\n${text}`],
  ])('reports an opening sentence %s as malformed and as another site’s', (_what, change) => {
    expect(check(change(example))).toEqual(expect.arrayContaining(['malformed', 'domain']))
  })

  it('reports a message whose resources let its URI act for the account', () => {
    const recap =
      'urn:recap:eyJhdHQiOnsiaHR0cHM6Ly9leGFtcGxlLmNvbSI6eyJjcnVkL3VwZGF0ZSI6W3t9XX19LCJwcmYiOltdfQ'
    expect(check(`${full}\n- ${recap}`, { now: Date.parse('2021-09-30T17:00:00Z') })).toEqual(['delegation'])
  })

  it('still compares domain and account of a malformed message', () => {
    const text = example.replace('Version: 1', 'Version: 2')
    expect(check(text)).toEqual(['malformed'])
    expect(check(text, { origin: 'https://evil.example', account: `0x${'ab'.repeat(20)}` })).toEqual([
      'malformed',
      'domain',
      'address',
    ])
  })
})
