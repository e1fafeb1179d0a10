import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { concatHex, keccak256, serializeTransaction, toHex, toRlp } from 'viem'
import { hashAuthorization } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import type { Requester } from '../../../src/background/approvals/store.ts'
import { signMethods } from '../../../src/background/dapp/methods/signMethods.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import type { DappRequest } from '../../../src/domain/dapp/approval.ts'
import { describeTypedData } from '../../../src/domain/signing/describeTypedData.ts'
import { readMessage } from '../../../src/domain/signing/messageText.ts'
import { signatureWarnings } from '../../../src/ui/approvals/sign/signatureWarnings.ts'
import { typedDataOf } from '../../helpers/samples/createTypedData.ts'
import { type Hex, type SignatureSample, signatureSamples } from '../../helpers/samples/signatureSamples.ts'

const account = `0x${'aa'.repeat(20)}` as const
const chainId = 137
const now = 1_700_000_000_000
const asker: Requester = { origin: 'https://app.example', documentId: 'd', tabId: 1, requestId: 1 }
const { harmless, clean, stopped } = signatureSamples(account, chainId, now)

async function askOf({ request }: SignatureSample): Promise<DappRequest> {
  const asked: DappRequest[] = []
  const methods = signMethods({
    sites: { chain: async () => chainId, permitted: async () => account },
    approvals: {
      async ask(_asker, ask) {
        asked.push(ask)
        return '0x'
      },
    },
  })
  if ('message' in request) await methods.personal_sign?.(asker, [request.message, account])
  else await methods.eth_signTypedData_v4?.(asker, [account, JSON.stringify(request.typedData)])
  return asked[0] ?? expect.fail('nothing was asked')
}

async function outcome(
  sample: SignatureSample,
): Promise<{ tick?: string; isStopped: boolean; said: string[] }> {
  const ask = await askOf(sample)
  if (ask.kind === 'sign-message') {
    const isStopped = readMessage(ask.message).kind !== 'text'
    return { isStopped, ...(isStopped && { tick: 'I understand the risk and want to sign' }), said: [] }
  }
  if (ask.kind !== 'sign-typed-data') return expect.fail('asked for something else')
  const description = describeTypedData(ask.typedData, {
    account,
    chainId,
    now,
    origin: asker.origin,
  })
  const calls =
    description.kind === 'calls'
      ? (description.calls ?? []).map((call) =>
          describeCall(call, { account: description.sender, chainId, routers: [] }),
        )
      : []
  const {
    doubts,
    networkNote = [],
    notes,
    tick,
  } = signatureWarnings(description, { router: undefined, networkName: 'Polygon', chainId: 137, calls })
  return {
    ...(tick && { tick }),
    isStopped: doubts.length > 0,
    said: [...doubts, networkNote, ...notes].flat(),
  }
}

describe('acknowledgement of a signature', () => {
  it.each(harmless.map((sample) => [sample.name, sample] as const))(
    'requires no acknowledgement for %s',
    async (_, sample) => {
      expect(await outcome(sample)).toMatchObject({ isStopped: false })
      expect((await outcome(sample)).tick).toBeUndefined()
    },
  )

  it.each(clean.map((sample) => [sample.name, sample] as const))(
    'requires an acknowledgement without a stop warning for %s',
    async (_, sample) => {
      const { tick, isStopped, said } = await outcome(sample)
      expect(
        said.filter(
          (one) =>
            !one.startsWith('This signature doesn’t specify a network, but') &&
            !one.startsWith('Anything that accepts this Safe’s signatures') &&
            !one.startsWith('Sluice doesn’t recognize this data.'),
        ),
      ).toEqual([])
      expect(isStopped).toBe(false)
      expect(tick).toMatch(/^I /)
    },
  )

  it.each(stopped.map((sample) => [sample.name, sample] as const))(
    'requires an acknowledgement below a stop warning for %s',
    async (_, sample) => {
      expect(await outcome(sample)).toMatchObject({
        isStopped: true,
        tick: 'I understand the risk and want to sign',
      })
    },
  )

  it('documents every sample in docs/security/dapps.md', () => {
    const document = readFileSync(resolve(import.meta.dirname, '../../../docs/security/dapps.md'), 'utf8')
    for (const { name } of [...harmless, ...clean, ...stopped]) expect(document).toContain(`| ${name} |`)
  })
})

const digest = 'c1a0f2d3b4958677e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9012345678def'
const delegation = { address: account, chainId: 1, nonce: 7 }
const base64 = Buffer.from(digest, 'hex').toString('base64')
const spelled: [how: string, text: string][] = [
  ['hex', digest],
  ['hex in capitals after 0X', `0X${digest.toUpperCase()}`],
  ['hex with spaces', digest.replace(/(.{8})/g, '$1 ')],
  ['hex with colons', digest.replace(/(..)(?!$)/g, '$1:')],
  ['hex with invisible letters', digest.replace(/(.{16})/g, '$1\u200b\u2060')],
  ['hex in quotes', `"0x${digest}"`],
  ['hex in two lines', `0x${digest.slice(0, 32)}\n0x${digest.slice(32)}`],
  ['calldata in hex', `0xa9059cbb${digest}${digest}`],
  ['base64', base64],
  ['base64 of URLs', base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')],
  ['base64 between blanks', ` ${base64}\u200b\n`],
  ['base58', 'E1xbkvTSSAYcRzxkd8hNvKKVMbvGUxCiRLPpWTXiUWVr'],
  ['a decimal number', BigInt(`0x${digest}`).toString()],
  ['a list of bytes', JSON.stringify([...Buffer.from(digest, 'hex')])],
]

describe('acknowledgement of a message that spells a digest', () => {
  it.each(spelled)('requires an acknowledgement below a stop warning for %s', async (_how, message) => {
    const asText = await outcome({ name: '', request: { message } })
    expect(asText).toMatchObject({ isStopped: true, tick: 'I understand the risk and want to sign' })
    const typedData = typedDataOf('Message(string content)', { content: message }, { name: 'X', chainId })
    expect(await outcome({ name: '', request: { typedData } })).toMatchObject({
      isStopped: true,
      tick: 'I understand the risk and want to sign',
    })
  })

  it.each<[string, Hex]>([
    ['the digest of an EIP-7702 authorization', hashAuthorization(delegation)],
    ['what that digest hashes', concatHex(['0x05', toRlp([toHex(1), delegation.address, toHex(7)])])],
    ['a transaction', serializeTransaction({ type: 'eip1559', chainId, to: account, value: 1n })],
    ['the bytes of typed data', concatHex(['0x1901', keccak256('0x01'), keccak256('0x02')])],
    ['a digest with a zero byte', `0x00${digest.slice(2)}`],
  ])('requires an acknowledgement below a stop warning for %s as bytes', async (_how, message) => {
    expect(await outcome({ name: '', request: { message } })).toMatchObject({ isStopped: true })
  })

  it.each([
    ['two numbers', 'Root(uint128 high,uint128 low)', { high: `${2n ** 120n}`, low: `${2n ** 127n}` }],
    ['numbers of 64 bits', 'Root(uint64[4] words)', { words: Array(4).fill(`${2n ** 63n}`) }],
    ['a list of bytes', 'Root(uint8[] bytes)', { bytes: Array(32).fill(7) }],
    ['a list of one', 'Root(bytes32[] roots)', { roots: [`0x${digest}`] }],
    [
      'a struct in a struct',
      'Root(Part part)Part(bytes16 one,uint128 two)',
      {
        part: { one: `0x${digest.slice(32)}`, two: `${2n ** 127n}` },
      },
    ],
  ])('requires one for typed data that holds it as %s', async (_how, type, message) => {
    const typedData = typedDataOf(type, message, { name: 'X', chainId })
    expect(await outcome({ name: '', request: { typedData } })).toMatchObject({ isStopped: true })
  })

  it('reads a long text in linear time', async () => {
    const started = performance.now()
    await outcome({ name: '', request: { message: `${' '.repeat(99_000)}a` } })
    await outcome({ name: '', request: { message: `${'\u200b'.repeat(33_000)}a` } })
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it.each([
    'Sign in to the exchange with this account today',
    'Welcome!\n\nNonce: 4fzTKQhxQ8qDGLVVQR3djdX3mDooWpfzTKQhxQ8q',
    `Nonce ${digest}`,
    'https://app.example/login/4fzTKQhxQ8qDGLVVQR3djdX3',
    '550e8400-e29b-41d4-a716-446655440000',
    '12345678901234567890',
    'Facade, decade, bead: a cafe faced a bad decade. 1234567890 deed.',
    'Ich bestätige, dass dieses Konto mir gehört.',
    '请签署此消息以登录并证明您拥有此帐户',
  ])('requires none for the text %s', async (message) => {
    expect(await outcome({ name: '', request: { message } })).toEqual({ isStopped: false, said: [] })
  })
})

describe('acknowledgement of a sign-in', () => {
  const login = 'Login(address wallet,string message,uint256 nonce)'
  const message = { wallet: account, message: 'Hello', nonce: 1 }
  const domain = { name: 'X', version: '1', chainId }
  const tickOf = async (type: string, message: object, domain: object, types: object = {}) => {
    const typedData = typedDataOf(type, message, domain)
    Object.assign(typedData.types, types)
    return (await outcome({ name: '', request: { typedData } })).tick
  }

  it('requires no acknowledgement for a plain sign-in', async () => {
    expect(await tickOf(login, message, domain)).toBeUndefined()
  })

  it.each(['did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp', 'urn:login:1'])(
    'requires no acknowledgement for the URI %s only when the domain names the site',
    async (uri) => {
      const type = 'Auth(string domain,string uri,string nonce)'
      expect(await tickOf(type, { domain: 'app.example', uri, nonce: 'k3Jd93kd' }, domain)).toBeUndefined()
      expect(await tickOf(type, { domain: 'opensea.io', uri, nonce: 'k3Jd93kd' }, domain)).toBeDefined()
      const unbound = 'Auth(string uri,string nonce)'
      expect(await tickOf(unbound, { uri, nonce: 'k3Jd93kd' }, domain)).toBeDefined()
    },
  )

  it.each<[string, string, object, object, object?]>([
    ['with a contract', login, message, { ...domain, verifyingContract: account }],
    ['with the zero contract', login, message, { ...domain, verifyingContract: `0x${'00'.repeat(20)}` }],
    ['with a salt', login, message, { ...domain, salt: `0x${'11'.repeat(32)}` }],
    [
      'with a contract that the domain’s type leaves out',
      login,
      message,
      { ...domain, verifyingContract: account },
      {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
        ],
      },
    ],
    ['with another address', login, { ...message, wallet: `0x${'bd'.repeat(20)}` }, domain],
    [
      'with another address as a text',
      'Login(string wallet,string message)',
      { wallet: `0x${'bd'.repeat(20)}`, message: 'Hello' },
      domain,
    ],
    [
      'for another site by its domain and URI',
      'Auth(string domain,string uri,string nonce)',
      { domain: 'opensea.io', uri: 'https://opensea.io', nonce: 'k3Jd93kd' },
      domain,
    ],
    ...['url', 'origin', 'website', 'site', 'host', 'app', 'service', 'Application', 'name', 'resources'].map(
      (field): [string, string, object, object] => [
        `for another site by its ${field}`,
        `Login(address wallet,string ${field})`,
        { wallet: account, [field]: 'https://opensea.io/login' },
        domain,
      ],
    ),
    ...[
      'https://app.example@opensea.io',
      'https://app.example\\@opensea.io',
      'https://app.example?@opensea.io',
      'app.example.opensea.io',
      'app.example:444',
      'http://app.example',
      'app.example opensea.io',
      '//opensea.io',
      'opensea',
      '',
    ].map((site): [string, string, object, object] => [
      `for the site ${JSON.stringify(site)}`,
      'Login(address wallet,string domain)',
      { wallet: account, domain: site },
      domain,
    ]),
    ...[
      'opensea.io',
      ' OpenSea.io/ ',
      'opensea.io.',
      'xn--opensa-cya.io',
      'opensea\u3002io',
      'foo.xn--p1ai',
    ].map((service): [string, string, object, object] => [
      `for the service ${service}`,
      'Login(address wallet,string service)',
      { wallet: account, service },
      domain,
    ]),
    ['with another site as its domain’s name', login, message, { ...domain, name: 'opensea.io' }],
    [
      'with a sign-in of EIP-4361 as its text',
      login,
      {
        ...message,
        message: `opensea.io wants you to sign in with your Ethereum account:\n${account}\n`,
      },
      domain,
    ],
    [
      'with an address of another chain',
      'Verification(string address,string content)',
      { address: 'cosmos1x7d9', content: 'withdraw' },
      domain,
    ],
    ...['account', 'wallet', 'user', 'from', 'signer', 'user_address'].map(
      (field): [string, string, object, object] => [
        `with a text as its ${field}`,
        `Login(string ${field},uint256 nonce)`,
        { [field]: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', nonce: 1 },
        domain,
      ],
    ),
    ['with a number that may be a digest', login, { ...message, nonce: `${2n ** 200n}` }, domain],
    ['with a digest for a text', login, { ...message, message: 'ab'.repeat(32) }, domain],
    ['with bytes as numbers', 'Login(uint8[] nonce)', { nonce: [1, 2, 3] }, domain],
    ['with an amount', 'Login(address wallet,string amount)', { wallet: account, amount: '5' }, domain],
    [
      'as an off-chain transfer',
      'HyperliquidTransaction:UsdSend(string hyperliquidChain,string destination,string amount,uint64 time)',
      { hyperliquidChain: 'Mainnet', destination: `0x${'bd'.repeat(20)}`, amount: '5', time: 1 },
      domain,
    ],
    ['as a derivation of a key', 'Constant(string action)', { action: 'STARK Key' }, domain],
    [
      'as a session key',
      'SessionLogin(address wallet,uint256 expiry)',
      { wallet: account, expiry: 1 },
      domain,
    ],
    ['with a digest as its only field', 'Login(string nonce)', { nonce: 'ab'.repeat(32) }, domain],
    [
      'with digests as its only fields',
      'Challenge(string challenge,string sessionId)',
      { challenge: `0x${'ab'.repeat(32)}`, sessionId: 'cd'.repeat(32) },
      domain,
    ],
    ...['acceptOffer', 'accept_bid', 'agreeToSell', 'acceptTransfer', 'agreeTerms2Pay'].map(
      (field): [string, string, object, object] => [
        `with the consent ${field}`,
        `Statement(address wallet,bool ${field})`,
        { wallet: account, [field]: true },
        domain,
      ],
    ),
    ...spelled.map(([how, text]): [string, string, object, object] => [
      `with ${how} for a text`,
      'Login(address wallet,string content)',
      { wallet: account, content: text },
      domain,
    ]),
    ['as a bare root', 'Root(bytes32 root)', { root: `0x${'11'.repeat(32)}` }, domain],
    ['as a Safe message without a contract', 'SafeMessage(bytes message)', { message: '0x41' }, domain],
    [
      'as a vote of another domain',
      'Vote(address from,bytes32 proposal)',
      { from: account, proposal: `0x${'11'.repeat(32)}` },
      domain,
    ],
    [
      'as a permit without a contract',
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
      { owner: account, spender: account, value: 1, nonce: 0, deadline: 1 },
      domain,
    ],
  ])('requires an acknowledgement for typed data %s', async (_name, type, message, domain, types) => {
    expect(await tickOf(type, message, domain, types)).toBeDefined()
  })

  const written = { account, nonce: 1, content: 'Hello' }
  const fields = '(address account,uint64 nonce,string content)'

  it.each([
    'SpendMessage',
    'GrantAuth',
    'SellMessage',
    'RedeemMessage',
    'VerifyUnlock',
    'ConsentToUpgrade',
    'StakeAuth',
    'BurnProof',
    'Unlock',
    'MessageX',
    'LoginAndBorrow',
  ])('requires an acknowledgement for the primary type %s with the fields of a sign-in', async (name) => {
    expect(await tickOf(`${name}${fields}`, written, domain)).toBeDefined()
  })

  it.each([
    'Login',
    'login_message',
    'SignInRequest',
    'SignUp',
    'ClobAuth',
    'AuthenticationChallenge',
    'VerifyWallet',
    'ProofOfOwnership',
    'AcceptTermsOfService',
    'WelcomeMessage',
    'Web3Login',
    'LoginV2',
    'Message',
    'UserRegistration',
  ])('requires no acknowledgement for a sign-in with the primary type %s', async (name) => {
    expect(await tickOf(`${name}${fields}`, written, domain)).toBeUndefined()
  })

  it.each(['agree', 'agreed', 'acceptTerms', 'accepted_terms_of_service', 'agreeToPrivacyPolicy'])(
    'requires no acknowledgement for the consent %s',
    async (field) => {
      const type = `Statement(address wallet,bool ${field})`
      expect(await tickOf(type, { wallet: account, [field]: true }, domain)).toBeUndefined()
    },
  )

  it.each([
    ['its host', 'app.example'],
    ['its host with the usual port', 'app.example:443'],
    ['its origin', 'https://app.example'],
    ['one of its pages', 'https://app.example/login?next=/swap'],
    ['another case', 'HTTPS://App.Example/'],
  ])('requires no acknowledgement when the sign-in names the requesting site by %s', async (_name, site) => {
    const type = 'SignIn(string address,string domain,string uri,string app,string nonce)'
    const signed = { address: account.toUpperCase().replace('0X', '0x'), domain: site, uri: site, app: site }
    expect(await tickOf(type, { ...signed, nonce: 'k3Jd93kd' }, { ...domain, name: site })).toBeUndefined()
  })

  it('requires no acknowledgement for a name, version or e-mail address that looks like a site', async () => {
    const type =
      'Login(address wallet,string name,string username,string email,string version,string message)'
    const signed = {
      wallet: account,
      name: 'vitalik.eth',
      username: 'alice.xyz',
      email: 'alice@mail.example',
      version: '1.0.2',
      message: 'Welcome! By signing you accept https://docs.example.org/terms.',
    }
    expect(await tickOf(type, signed, { ...domain, name: 'Login v2.1' })).toBeUndefined()
  })

  it('warns only that a sign-in is for a different site, and requires an acknowledgement', async () => {
    const signed = { wallet: account, domain: 'opensea.io' }
    const typedData = typedDataOf('Login(address wallet,string domain)', signed, domain)
    const { tick, said } = await outcome({ name: '', request: { typedData } })
    expect(said).toEqual(['This sign-in is for a different site.'])
    expect(tick).toBe('I understand the risk and want to sign')
  })

  it('notes that a domain names no network, without an acknowledgement', async () => {
    const typedData = typedDataOf(login, message, { name: 'X' })
    const { tick, said } = await outcome({ name: '', request: { typedData } })
    expect(tick).toBeUndefined()
    expect(said).toEqual(['This signature doesn’t specify a network, so it’s valid on every network.'])
  })
})
