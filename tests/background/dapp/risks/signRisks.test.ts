import { getAddress, parseEther, parseUnits, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { useRiskStage } from '../../../helpers/background/riskStage.ts'

const { stage, made, deploy, askSignature, askMessage } = useRiskStage()

const held = parseUnits('25000', 6)
const oneInch: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const thief: Address = `0x${'bd'.repeat(20)}`
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 600)

const members = (text: string) =>
  text.split(',').map((each) => {
    const [type, name] = each.split(' ')
    return { type, name }
  })

const permit = (value: bigint) => ({
  domain: { name: 'USD Coin', version: '2', verifyingContract: stage.localnet.tokens.USDC },
  primaryType: 'Permit',
  types: { Permit: members('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
  message: { owner: made.browser.account, spender: oneInch, value, nonce: 0n, deadline: soon() },
})

const batch = (amounts: bigint[]) => ({
  domain: { name: 'Permit2', verifyingContract: stage.localnet.contracts.permit2 },
  primaryType: 'PermitBatch',
  types: {
    PermitBatch: members('PermitDetails[] details,address spender,uint256 sigDeadline'),
    PermitDetails: members('address token,uint160 amount,uint48 expiration,uint48 nonce'),
  },
  message: {
    details: amounts.map((amount) => ({
      token: stage.localnet.tokens.USDC,
      amount,
      expiration: soon(),
      nonce: 0,
    })),
    spender: oneInch,
    sigDeadline: soon(),
  },
})

const order = (taking: bigint, takerAsset: Address, receiver: Address = `0x${'00'.repeat(20)}`) => ({
  domain: { name: '1inch Aggregation Router', version: '6', verifyingContract: oneInch },
  primaryType: 'Order',
  types: {
    Order: members(
      'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,' +
        'uint256 makingAmount,uint256 takingAmount,uint256 makerTraits',
    ),
  },
  message: {
    salt: 1n,
    maker: made.browser.account,
    receiver,
    makerAsset: stage.localnet.tokens.USDC,
    takerAsset,
    makingAmount: held,
    takingAmount: taking,
    makerTraits: soon() << 80n,
  },
})

const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const onSeaport = (sold: bigint, wanted: bigint) => {
  const { USDC, WETH } = stage.localnet.tokens
  const of = (token: Address, amount: bigint) => ({
    itemType: 1,
    token,
    identifierOrCriteria: 0,
    startAmount: amount,
    endAmount: amount,
  })
  return {
    offerer: made.browser.account,
    zone: `0x${'00'.repeat(20)}`,
    offer: [of(USDC, sold)],
    consideration: wanted === 0n ? [] : [{ ...of(WETH, wanted), recipient: made.browser.account }],
    orderType: 0,
    startTime: 1,
    endTime: soon(),
    zoneHash: `0x${'00'.repeat(32)}`,
    salt: sold,
    conduitKey: `0x${'00'.repeat(32)}`,
    counter: 0,
  }
}

const tree = (...orders: [ReturnType<typeof onSeaport>, ReturnType<typeof onSeaport>]) => ({
  domain: {
    name: 'Seaport',
    version: '1.6',
    verifyingContract: '0x0000000000000068f116a894984e2db1123eb395' as Address,
  },
  primaryType: 'BulkOrder',
  types: {
    BulkOrder: members('OrderComponents[2] tree'),
    OrderComponents: members(
      'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
        'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
    ),
    OfferItem: members(item),
    ConsiderationItem: members(`${item},address recipient`),
  },
  message: { tree: orders },
})

const kinds = ({ risks }: { risks: { kind: string }[] }) => risks.map(({ kind }) => kind)

async function takesAll(asked: Awaited<ReturnType<typeof askSignature>>): Promise<void> {
  for (const left of asked.ticks) {
    const others = asked.ticks.filter((key) => key !== left)
    await expect(asked.approve(others)).rejects.toMatchObject({ code: 'stale-review' })
  }
  await asked.approve(asked.ticks)
  expect(await asked.answer).toMatch(/^0x[0-9a-f]{130}$/)
}

describe('permit', () => {
  it.each([10n ** 30n, held + 1n, 2n ** 128n - 2n, 2n ** 256n - 1n])(
    'requires acknowledgement for %s units, more than the balance, also for a known router',
    async (amount) => {
      const asked = await askSignature(permit(amount))
      expect(asked.risks).toContainEqual(
        expect.objectContaining({ kind: 'beyond-balance', spender: oneInch, balance: held }),
      )
      await takesAll(asked)
    },
  )

  it('requires only the typed-data acknowledgement up to the balance', async () => {
    const asked = await askSignature(permit(held))
    expect(kinds(asked)).toEqual(['typed-data'])
    await takesAll(asked)
  })

  it('requires only the typed-data acknowledgement when the entries together reach the balance', async () => {
    const half = held / 2n
    const asked = await askSignature(batch([half, half]))
    expect(kinds(asked)).toEqual(['typed-data'])
    await asked.reject()
  })

  it('requires acknowledgement when the entries together exceed the balance', async () => {
    const most = (held * 6n) / 10n
    const asked = await askSignature(batch([most, most]))
    expect(kinds(asked)).toEqual(['typed-data', 'beyond-balance'])
    await takesAll(asked)
  })
})

describe('tree of orders', () => {
  it('requires acknowledgement of the loss of one order behind the gain of another', async () => {
    const dear = onSeaport(1_000_000n, parseEther('10'))
    const asked = await askSignature(tree(dear, onSeaport(held - 1_000_000n, 1n)))
    expect(asked.risks.find(({ kind }) => kind === 'loss')).toMatchObject({ received: 1n, isGrave: true })
    await takesAll(asked)
  })

  it('requires only the typed-data acknowledgement when each order is fair', async () => {
    const fair = () => onSeaport(held / 4n, parseEther('2.05'))
    const asked = await askSignature(tree(fair(), fair()))
    expect(kinds(asked)).toEqual(['typed-data'])
    await asked.reject()
  })
})

describe('limit order', () => {
  it('requires acknowledgement of the loss when 25,000 USDC are sold for one wei', async () => {
    const { WETH } = stage.localnet.tokens
    const asked = await askSignature(order(1n, WETH))
    const loss = asked.risks.find(({ kind }) => kind === 'loss')
    expect(loss).toMatchObject({ buy: WETH, received: 1n, isGrave: true })
    if (loss?.kind !== 'loss') throw new Error('no loss')
    expect(loss.expected > parseEther('8') && loss.expected < parseEther('8.7')).toBe(true)
    await takesAll(asked)
  })

  it('compares no price when the return goes to another account', async () => {
    const asked = await askSignature(order(parseEther('8.3'), stage.localnet.tokens.WETH, thief))
    expect(kinds(asked)).toEqual(['typed-data'])
    await asked.reject()
  })

  it('requires only the typed-data acknowledgement near the market price', async () => {
    const asked = await askSignature(order(parseEther('8'), stage.localnet.tokens.WETH))
    expect(kinds(asked)).toEqual(['typed-data'])
    await takesAll(asked)
  })

  it('reports a token without a market price as unpriced', async () => {
    const token = await deploy('RaisableToken', [thief, 1n, false])
    const asked = await askSignature(order(10n ** 30n, token))
    expect(kinds(asked)).toEqual(['typed-data', 'unpriced'])
    await takesAll(asked)
  })
})

describe('personal message', () => {
  const siwe = (site: string, expires: string) => `${site} wants you to sign in with your Ethereum account:
${getAddress(made.browser.account)}

Welcome.

URI: https://${site}
Version: 1
Chain ID: 31337
Nonce: 12345678
Issued At: 2024-01-01T00:00:00Z
Expiration Time: ${expires}`
  const hex = (text: string) => toHex(text)

  it.each<[string, () => Hex, string[]]>([
    ['32 bytes', () => `0x${'07'.repeat(32)}`, ['message hash']],
    ['32 letters', () => hex('a'.repeat(32)), ['message hash']],
    ['64 digits of hex', () => hex('ab'.repeat(32)), ['message hash']],
    ['bytes that are no text', () => '0xff00', ['message bytes']],
    [
      'a sign-in for another site',
      () => hex(siwe('other.example', '2099-01-01T00:00:00Z')),
      ['sign-in domain'],
    ],
    ['a sign-in that is over', () => hex(siwe('shop.example', '2024-01-02T00:00:00Z')), ['sign-in expired']],
  ])('requires acknowledgement before signing %s', async (_name, message, needed) => {
    const { approve, answer } = await askMessage(message())
    await expect(approve([])).rejects.toMatchObject({ code: 'stale-review' })
    await expect(approve(['typed-data'])).rejects.toMatchObject({ code: 'stale-review' })
    await approve(needed)
    expect(await answer).toMatch(/^0x[0-9a-f]{130}$/)
  })

  it.each<[string, () => Hex]>([
    ['a plain text', () => hex('Hello')],
    ['a sign-in for this site', () => hex(siwe('shop.example', '2099-01-01T00:00:00Z'))],
  ])('requires no acknowledgement for %s', async (_name, message) => {
    const { approve, answer } = await askMessage(message())
    await approve([])
    expect(await answer).toMatch(/^0x[0-9a-f]{130}$/)
  })
})
