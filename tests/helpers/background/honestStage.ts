import { encodeFunctionData, erc20Abi, parseAbi, parseEther, parseUnits } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { newToken } from '../../../src/evm/erc20.ts'
import { type Asked, useRiskStage } from './riskStage.ts'

// Common transactions as sites encode them; `Venue` replaces contracts that localnet lacks.

export const late = 4_000_000_000n
export const friend: Address = `0x${'f1'.repeat(20)}`
export const bytes32: Hex = `0x${'07'.repeat(32)}`
export const dollars = (amount: string) => parseUnits(amount, 6)

export function call(signature: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
}

export const approve = (token: Address, spender: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  value: 0n,
})

type Moves = Parameters<ReturnType<typeof useRiskStage>['teach']>[2]

/** A row of the table in docs/security/dapps.md. */
export type Row = [name: string, ask: () => Promise<Asked>, ticks: string[], notes?: string[]]

export function useHonestStage() {
  const { stage, made, deploy, teach, sendBefore, ask, install } = useRiskStage()
  const found = {} as { venue: Address; receipt: Address; unlisted: Address; votes: Address }
  let snapshot: Hex

  beforeAll(async () => {
    found.venue = await deploy('Venue')
    // Without a market price, like vault shares.
    found.receipt = await deploy('ReceiptToken', [found.venue])
    await fund(found.venue)
    // Only the first is listed by the user.
    found.unlisted = await deploy('ReceiptToken', [found.venue])
    const chain = await made.desk.worker.networks.chain(31337)
    await made.desk.assets.add(31337, await chain.token(found.receipt), '')
    found.votes = await deploy('Venue')
    await made.desk.assets.add(31337, newToken(found.votes, 'VOTE', 'Votes', 18), '')
  }, 240_000)
  beforeEach(async () => {
    snapshot = await stage.localnet.client.snapshot()
  })
  afterEach(() => stage.localnet.client.revert({ id: snapshot }))

  async function fundWith(to: Address, token: Address, amount: bigint): Promise<void> {
    const { client } = stage.localnet
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    await client.receiptOf(await client.sendTransaction({ to: token, data } as never))
  }

  async function fund(to: Address): Promise<void> {
    await fundWith(to, stage.localnet.tokens.USDC, dollars('20000'))
    await stage.localnet.client.setBalance({ address: to, value: parseEther('100') })
  }

  return {
    stage,
    made,
    found,
    ask,
    teach,
    sendBefore,
    fundWith,
    account: () => made.browser.account,
    tokens: () => stage.localnet.tokens,
    v2Router: () => stage.localnet.contracts.v2Router,
    async installAt(at: Address, from: Address = found.venue): Promise<void> {
      await install(from, at)
      await fund(at)
    },
    async atVenue(data: Hex, moves: Moves, value = 0n, at: Address = found.venue): Promise<Asked> {
      await teach(at, data, moves)
      if (moves.takes) await sendBefore(approve(moves.takes, at, moves.taken ?? 0n))
      return ask({ to: at, data, value })
    },
    teachVenue: (data: Hex, moves: Moves) => teach(found.venue, data, moves),
  }
}

export function testRows(groups: [group: string, rows: Row[]][]): void {
  describe.each(groups)('honest %s', (_group, rows) => {
    it.each(rows)('shows the expected warnings for %s', async (_name, prepare, ticks, notes = []) => {
      const asked = await prepare()
      await asked.reject()
      expect(asked.status).toBe('succeeds')
      const said = (isGrave: boolean) =>
        asked.risks
          .filter((risk) => risk.isGrave === isGrave)
          .map((risk) => (risk.kind === 'call' ? risk.warning : risk.kind))
      expect({ ticks: said(true), notes: said(false) }).toEqual({ ticks, notes })
    })
  })
}
