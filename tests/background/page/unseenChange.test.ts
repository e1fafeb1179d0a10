import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { useBazaarStage } from './bazaarStage.ts'

const { made, shopCall, request, agreeTo, nonce } = useBazaarStage()

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

/** An account without code: nothing visible happens. */
const emptyCall = (data: Hex) => ({ ...toVenue(data), to: `0x${'c0de'.repeat(10)}` as Address })

const agreeBlindly = (id: string) =>
  made.desk.approvals.approve(id, { kind: 'send', feeCap: 10n ** 18n, mayFail: false })

describe('a call that the wallet cannot read and that changes nothing visible', () => {
  it('has to be acknowledged', async () => {
    const { approval } = await request(shopCall('offer', [3n]))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'no-change', isGrave: true })
    await expect(agreeBlindly(approval.id)).rejects.toMatchObject({ code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('is sent once it is acknowledged', async () => {
    const { answer, approval } = await request(shopCall('offer', [3n]))
    await agreeTo(approval)
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('has to be acknowledged beside another call of the batch that moves something', async () => {
    const { approval } = await request(shopCall('offer', [3n]), shopCall('buyItems', [1n], 1))
    const { risks } = await made.desk.preview(approval)
    expect(risks).toContainEqual({ kind: 'no-change', isGrave: true })
    await expect(agreeBlindly(approval.id)).rejects.toMatchObject({ code: 'stale-review' })
  })

  it('has to be acknowledged as the last call of a batch', async () => {
    const { approval } = await request(shopCall('buyItems', [1n], 1), shopCall('offer', [3n]))
    await expect(agreeBlindly(approval.id)).rejects.toMatchObject({ code: 'stale-review' })
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
      'a position of Uniswap V3',
      () => encodeFunctionData({ abi: multicall, args: [['0x0c49ccbe', '0xfc6f7865']] }),
    ],
  ])('has to be acknowledged when it hands over %s', async (_name, data) => {
    const { approval } = await request(emptyCall(data()))
    const { simulation } = await made.desk.preview(approval)
    expect(simulation).toMatchObject({ status: 'succeeds', changes: [], grants: [] })
    await expect(agreeBlindly(approval.id)).rejects.toMatchObject({ code: 'stale-review' })
  })
})

describe('a call without a visible change that is known to be harmless', () => {
  it.each<[string, Hex]>([
    ['a delegation of votes', encodeFunctionData({ abi: harmless, functionName: 'delegate', args: [thief] })],
    ['a vote', encodeFunctionData({ abi: harmless, functionName: 'castVote', args: [1n, 1] })],
    [
      'a vote with a reason',
      encodeFunctionData({ abi: harmless, functionName: 'castVoteWithReason', args: [1n, 1, 'Good.'] }),
    ],
  ])('takes no tick: %s', async (_name, data) => {
    const { approval } = await request(emptyCall(data))
    expect((await made.desk.preview(approval)).risks).toEqual([])
  })
})
