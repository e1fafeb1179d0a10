import { encodeFunctionData, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { useBazaarStage } from '../../../helpers/background/bazaarStage.ts'

const { made, shopCall, request, agreeTo, agreeBlindly, nonce } = useBazaarStage()

const thief: Address = `0x${'bd'.repeat(20)}`
const many = 2n ** 255n
const grants = parseAbi([
  'function setAuthorization(address authorized, bool newIsAuthorized)',
  'function approveDelegation(address delegatee, uint256 amount)',
  'function allow(address manager, bool isAllowed)',
  'function setOperator(address operator, bool approved)',
  'function authorizeOperator(address operator)',
  'function setRelayerApproval(address sender, address relayer, bool approved)',
])
const harmless = parseAbi([
  'function delegate(address delegatee)',
  'function castVote(uint256 proposalId, uint8 support)',
  'function castVoteWithReason(uint256 proposalId, uint8 support, string reason)',
])
const multicall = parseAbi(['function multicall(bytes[] data) payable'])

const toVenue = (data: Hex) => ({ to: made.shop, data, value: '0x0' as const })

/** An account without code: no visible change. */
const emptyCall = (data: Hex) => ({ ...toVenue(data), to: `0x${'c0de'.repeat(10)}` as Address })

describe('undecoded call without a visible change', () => {
  it('requires acknowledgement and sends nothing without it', async () => {
    const { approval } = await request(shopCall('offer', [3n]))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'no-change', isGrave: true })
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('sends the call once acknowledged', async () => {
    const { answer, approval } = await request(shopCall('offer', [3n]))
    await agreeTo(approval)
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('requires acknowledgement before a batch call that moves something', async () => {
    const { approval } = await request(shopCall('offer', [3n]), shopCall('buyItems', [1n], 1))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'no-change', isGrave: true })
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })

  it('requires acknowledgement as the last call of a batch', async () => {
    const { approval } = await request(shopCall('buyItems', [1n], 1), shopCall('offer', [3n]))
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })

  it.each<[string, () => Hex]>([
    [
      'Morpho',
      () => encodeFunctionData({ abi: grants, functionName: 'setAuthorization', args: [thief, true] }),
    ],
    [
      'Aave',
      () => encodeFunctionData({ abi: grants, functionName: 'approveDelegation', args: [thief, many] }),
    ],
    ['Comet', () => encodeFunctionData({ abi: grants, functionName: 'allow', args: [thief, true] })],
    ['ERC-6909', () => encodeFunctionData({ abi: grants, functionName: 'setOperator', args: [thief, true] })],
    ['ERC-777', () => encodeFunctionData({ abi: grants, functionName: 'authorizeOperator', args: [thief] })],
    [
      'Balancer',
      () =>
        encodeFunctionData({
          abi: grants,
          functionName: 'setRelayerApproval',
          args: [made.browser.account, thief, true],
        }),
    ],
    [
      'whatever a contract that is no known token delegates',
      () => encodeFunctionData({ abi: harmless, functionName: 'delegate', args: [thief] }),
    ],
    [
      'a position of Uniswap V3',
      () => encodeFunctionData({ abi: multicall, args: [['0x0c49ccbe', '0xfc6f7865']] }),
    ],
  ])('requires acknowledgement when the call hands over %s', async (_name, data) => {
    const { approval } = await request(emptyCall(data()))
    const { simulation } = await made.desk.preview(approval)
    expect(simulation).toMatchObject({ status: 'succeeds', changes: [], grants: [] })
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })
})

describe('undecoded call that sends native tokens', () => {
  const withEther = (data: Hex, value: Hex) => ({ ...emptyCall(data), value })

  it.each<[string, Hex]>([
    ['one wei', '0x1'],
    ['a thousandth', '0x38d7ea4c68000'],
    ['one ether', '0xde0b6b3a7640000'],
  ])('requires acknowledgement for %s', async (_name, value) => {
    const { approval } = await request(withEther('0x1a2b3c4d', value))
    const { risks, simulation } = await made.desk.preview(approval)
    expect(simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -BigInt(value) }] })
    expect(risks).toContainEqual({ kind: 'no-change', isPaid: true, isGrave: true })
    expect(risks).toContainEqual({ kind: 'no-code', contract: emptyCall('0x').to, isGrave: false })
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('requires acknowledgement in a batch, before and after a purchase', async () => {
    const paid = withEther('0x1a2b3c4d', '0x38d7ea4c68000')
    for (const calls of [
      [paid, shopCall('buyItems', [1n], 1)],
      [shopCall('buyItems', [1n], 1), paid],
    ]) {
      const { approval } = await request(...calls)
      await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
      await made.desk.approvals.reject(approval.id)
    }
  })

  it.each<[string, Hex]>([
    ['a vote', encodeFunctionData({ abi: harmless, functionName: 'castVote', args: [1n, 1] })],
    [
      'a vote with a reason',
      encodeFunctionData({ abi: harmless, functionName: 'castVoteWithReason', args: [1n, 1, 'Good.'] }),
    ],
  ])('requires acknowledgement for %s with native tokens along', async (_name, data) => {
    const { approval } = await request(withEther(data, '0xde0b6b3a7640000'))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'no-change', isPaid: true, isGrave: true })
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })

  it('requires acknowledgement for a deposit at Stargate whose surplus goes to another account', async () => {
    const stargate = parseAbi([
      'struct Param { uint32 a; bytes32 to; uint256 b; uint256 c; bytes d; bytes e; bytes f; }',
      'struct Fee { uint256 a; uint256 b; }',
      'function send(Param param, Fee fee, address refund) payable',
    ])
    const param = { a: 1, to: pad(made.browser.account), b: 1n, c: 1n, d: '0x', e: '0x', f: '0x' } as const
    const dataFor = (refund: Address) =>
      encodeFunctionData({ abi: stargate, args: [param, { a: 1n, b: 0n }, refund] })
    const own = await request(withEther(dataFor(made.browser.account), '0xde0b6b3a7640000'))
    const { risks } = await made.desk.preview(own.approval)
    expect(risks.filter(({ isGrave }) => isGrave)).toEqual([])
    await made.desk.approvals.reject(own.approval.id)
    const { approval } = await request(withEther(dataFor(thief), '0xde0b6b3a7640000'))
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })

  it('requires acknowledgement for a bridge that pays another account', async () => {
    const bridge = parseAbi(['function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable'])
    const data = encodeFunctionData({ abi: bridge, args: [thief, 200_000, '0x'] })
    const { approval } = await request(withEther(data, '0xde0b6b3a7640000'))
    await expect(agreeBlindly(approval)).rejects.toMatchObject({ code: 'stale-review' })
  })
})

describe('harmless call without a visible change', () => {
  it.each<[string, Hex]>([
    ['a vote', encodeFunctionData({ abi: harmless, functionName: 'castVote', args: [1n, 1] })],
    [
      'a vote with a reason',
      encodeFunctionData({ abi: harmless, functionName: 'castVoteWithReason', args: [1n, 1, 'Good.'] }),
    ],
  ])('requires no acknowledgement for %s', async (_name, data) => {
    const { approval } = await request(emptyCall(data))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toEqual([{ kind: 'no-code', contract: emptyCall(data).to, isGrave: false }])
  })
})
