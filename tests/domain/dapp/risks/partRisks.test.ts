import { describe, expect, it } from 'vitest'
import type { Simulation } from '../../../../src/domain/activity/simulation.ts'
import type { DecodedCall } from '../../../../src/domain/calldata/decodedCall.ts'
import { partRisks } from '../../../../src/domain/dapp/risks/partRisks.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { newToken } from '../../../../src/evm/erc20.ts'

const account: Address = `0x${'aa'.repeat(20)}`
const usd: Address = `0x${'d1'.repeat(20)}`
const dai: Address = `0x${'d2'.repeat(20)}`
const weth: Address = `0x${'e1'.repeat(20)}`
const art: Address = `0x${'a1'.repeat(20)}`

type Amount = [token: Address, amount: bigint, nft?: bigint]

const changing = (...amounts: Amount[]): Simulation => ({
  status: 'succeeds',
  changes: amounts.map(([token, amount, nft]) => ({
    token: newToken(token, 'T', '', 18),
    amount,
    ...(nft !== undefined && { nft }),
  })),
  grants: [],
})

const failing: Simulation = { status: 'reverts', reason: 'no' }

const words = [1, 2, 3].map(
  (): DecodedCall => ({
    kind: 'unknown',
    to: usd,
    selector: '0x12345678',
    bytes: 4,
    value: 0n,
    warnings: [],
  }),
)

const risksOf = (simulation: Simulation, ...parts: Simulation[]) =>
  partRisks(words, { account, wrapped: [weth], simulation, returns: ({ amount }) => amount }, parts)

describe('first calls of a batch', () => {
  it('reports no risk when each call returns its share or no return is due', () => {
    expect(
      risksOf(
        changing([nativeTokenAddress, -4n], [art, 40n]),
        changing([nativeTokenAddress, -2n], [art, 20n]),
      ),
    ).toEqual([])
    expect(risksOf(changing([usd, -4n], [dai, -4n]), changing([usd, -4n]))).toEqual([])
    expect(risksOf(changing([usd, -4n], [dai, 3n]), changing())).toEqual([])
  })

  it('reports no risk for exchanges at market prices and for wraps', () => {
    const whole = changing([usd, -100n], [dai, 100n])
    expect(risksOf(whole, changing([usd, -100n], [nativeTokenAddress, 99n]))).toEqual([])
    const wrapping = changing([nativeTokenAddress, -100n], [art, 1n, 7n])
    expect(risksOf(wrapping, changing([nativeTokenAddress, -100n], [weth, 100n]))).toEqual([])
  })

  it('reports the largest amount that leaves before the return arrives', () => {
    const whole = changing([usd, -100n], [dai, 100n])
    expect(risksOf(whole, changing([usd, -50n]), changing([usd, -100n]))).toEqual([
      { kind: 'unreturned', calls: 2, token: usd, amount: 100n, isGrave: true },
    ])
  })

  it('reports an item that leaves before its payment and an amount lent to a later call', () => {
    expect(risksOf(changing([art, -1n, 7n], [usd, 9n]), changing([art, -1n, 7n]))).toMatchObject([
      { kind: 'unreturned', token: art, nft: 7n, amount: 1n },
    ])
    expect(risksOf(changing(), changing([usd, -9n]))).toMatchObject([{ kind: 'unreturned', token: usd }])
  })

  it('reports no separate risk when the whole batch reverts', () => {
    expect(risksOf(failing, changing([usd, -9n]))).toEqual([])
  })

  it('reports a grave risk when the first calls cannot be simulated alone', () => {
    const whole = changing([usd, -1n], [dai, 1n])
    expect(risksOf(whole, failing)).toEqual([{ kind: 'unseen', isGrave: true }])
    expect(risksOf(whole, { status: 'unknown', reason: 'no' })).toEqual([{ kind: 'unseen', isGrave: true }])
  })
})
