import fc from 'fast-check'
import { decodeFunctionData, encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { encodeRouterCall } from '../../../src/api/direct/routerCalldata.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { bendBytes, place } from '../../helpers/bendBytes.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { multicall, multicallAbi } from '../../helpers/samples/directCalls.ts'
import { readEffects } from '../../helpers/samples/directEffects.ts'
import {
  account,
  agree,
  direct,
  friend,
  link,
  thief,
  verifyDirect,
} from '../../helpers/samples/directTerms.ts'
import { slow } from '../../helpers/slow.ts'

slow('Decodes many calldatas.')

const honestOnes = runs(1_000, 10_000)
const mutated = runs(5_000, 100_000)

const { wrapped, connectors } = direct
const loner: Address = '0x1010101010101010101010101010101010101010'
const tradable: Address[] = [nativeTokenAddress, ...connectors, link, loner]
const toContract = (token: Address) => (token === nativeTokenAddress ? wrapped : token)

const [owner, spender, word] = [account, direct.router, `0x${'5a'.repeat(32)}`] as const
const permits: (Hex | undefined)[] = [
  undefined,
  encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256, uint8, bytes32, bytes32'), [
    owner,
    spender,
    9n,
    2_000n,
    27,
    word,
    word,
  ]),
  encodeAbiParameters(
    parseAbiParameters('address, address, uint256, uint256, bool, uint8, bytes32, bytes32'),
    [owner, spender, 4n, 2_000n, true, 28, word, word],
  ),
]

type Deal = { agreed: SwapExpectations; minReturn: bigint; data: Hex; isBinding: boolean }

/** Calldata of the wallet's own encoder. */
const deals: fc.Arbitrary<Deal> = fc
  .record({
    sell: fc.constantFrom(...tradable),
    buy: fc.constantFrom(...tradable),
    legs: fc.array(
      fc.record({
        middle: fc.subarray(connectors, { maxLength: 2 }),
        isV2: fc.boolean(),
        fee: fc.constantFrom(100, 500, 3_000, 10_000),
        amount: fc.bigInt(1n, 2n ** 120n),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    floor: fc.bigInt(1n, 2n ** 128n),
    more: fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 100n)),
    recipient: fc.constantFrom(account, friend),
    permit: fc.constantFrom(...permits),
    deadline: fc.bigInt(1_001n, 2_200n),
  })
  .filter(({ sell, buy }) => toContract(sell) !== toContract(buy))
  .map(({ sell, buy, legs, floor, more, recipient, permit, deadline }) => {
    const amount = legs.reduce((sum, leg) => sum + leg.amount, 0n)
    const trade = { chainId: 1, sell, buy, amount }
    const signed = sell === nativeTokenAddress ? undefined : permit
    const data = encodeRouterCall({
      trade,
      legs: legs.map(({ middle, isV2, fee, amount }) => {
        const ends = [toContract(sell), toContract(buy)] as const
        const tokens = [ends[0], ...middle.filter((token) => !ends.includes(token)), ends[1]]
        const fees = tokens.slice(1).map(() => (isV2 ? 0 : fee))
        return { path: { tokens, fees, gas: 0n, returned: [] }, amount, returns: 0n }
      }),
      minReturn: floor + more,
      recipient,
      deadline,
      permit: signed,
    })
    const agreed = {
      ...agree(trade),
      floor,
      receiver: recipient,
      ...(signed && { permission: { via: 'permit' as const } }),
    }
    const [first, ...others] = legs
    const isMeasured = sell !== nativeTokenAddress && others.length === 0 && first?.isV2 === true
    const isBinding = isMeasured || connectors.includes(toContract(buy))
    return { agreed, minReturn: floor + more, data, isBinding }
  })

type Change = (data: Hex) => Hex

/** Changes of the calls, encoded canonically again, so that only their meaning is another. */
const rebuild = (change: (calls: Hex[]) => Hex[]): Change => {
  return (data) => {
    try {
      const [deadline, calls] = decodeFunctionData({ abi: multicallAbi, data }).args
      return multicall(change([...calls]), deadline)
    } catch {
      return data
    }
  }
}

const at = (calls: Hex[], share: number) => Math.floor(share * calls.length)
const bend = (data: Hex, bent: (bytes: Buffer) => Buffer): Hex =>
  `0x${bent(Buffer.from(data.slice(2), 'hex')).toString('hex')}`

const strangers = [
  ...tradable,
  thief,
  account,
  friend,
  direct.router,
  `0x${'0'.repeat(39)}1`,
  `0x${'0'.repeat(39)}2`,
]
const addressWord = (address: string) => address.slice(2).padStart(64, '0')

const changes: fc.Arbitrary<Change> = fc.oneof(
  bendBytes.map(
    (bent): Change =>
      (data) =>
        bend(data, bent),
  ),
  // A byte or word of one call.
  fc
    .tuple(place, bendBytes)
    .map(([share, bent]) =>
      rebuild((calls) => calls.map((call, index) => (index === at(calls, share) ? bend(call, bent) : call))),
    ),
  // An address wherever it stands in one call, also in a path.
  fc
    .tuple(place, fc.constantFrom(...strangers), fc.constantFrom(...strangers))
    .map(([share, one, other]) =>
      rebuild((calls) =>
        calls.map((call, index) =>
          index === at(calls, share)
            ? (call
                .replaceAll(addressWord(one), addressWord(other))
                .replaceAll(one.slice(2), other.slice(2)) as Hex)
            : call,
        ),
      ),
    ),
  // Calls dropped, doubled, and in another order.
  place.map((share) => rebuild((calls) => calls.filter((_, index) => index !== at(calls, share)))),
  fc.tuple(place, place).map(([from, to]) =>
    rebuild((calls) => {
      const call = calls[at(calls, from)]
      return call ? calls.toSpliced(at(calls, to), 0, call) : calls
    }),
  ),
  fc.tuple(place, place).map(([one, other]) =>
    rebuild((calls) => {
      const [first, second] = [calls[at(calls, one)], calls[at(calls, other)]]
      return first && second ? calls.with(at(calls, one), second).with(at(calls, other), first) : calls
    }),
  ),
)

describe('verification of random direct swaps', () => {
  it(`accepts ${honestOnes} calldatas of the encoder with their minimum`, () => {
    const kinds = new Map<string, number>()
    fc.assert(
      fc.property(deals, ({ agreed, data, minReturn, isBinding }) => {
        expect(verifyDirect(data, agreed)).toEqual({ floor: minReturn, isBinding })
        // The independent reading agrees, so that it can judge mutations.
        expect(readEffects(data, direct)).toMatchObject({ min: minReturn, deadline: expect.any(BigInt) })
        const kind = `${data.length} ${agreed.permission?.via ?? ''}`
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }),
      { numRuns: honestOnes },
    )
    expect(kinds.size).toBeGreaterThan(20)
    figure('41', `${honestOnes} random direct swaps: 0 refused`)
  })

  it(`accepts among ${mutated} changed calldatas only those with terms at least as good`, () => {
    const counts = { same: 0, accepted: 0, refused: 0 }
    fc.assert(
      fc.property(
        deals,
        fc.array(changes, { minLength: 1, maxLength: 3 }),
        ({ agreed, data: honest }, all) => {
          const data = all.reduce((bent, change) => change(bent), honest)
          try {
            const { floor } = verifyDirect(data, agreed)
            const { sell, buy, amount } = agreed.trade
            const { permitted, deadline, ...effects } = readEffects(data, direct)
            expect(effects).toEqual({
              sell,
              buy,
              amount,
              min: floor,
              recipient: agreed.receiver,
            })
            expect(deadline > 1_000n && deadline < 2_201n).toBe(true)
            if (permitted !== undefined)
              expect([permitted, agreed.permission]).toEqual([sell, { via: 'permit' }])
            expect(floor).toBeGreaterThanOrEqual(agreed.floor)
            counts[data === honest ? 'same' : 'accepted']++
          } catch (error) {
            if (!(error instanceof WalletError)) throw error
            expect(['unsafe-transaction', 'below-floor']).toContain(error.code)
            counts.refused++
          }
        },
      ),
      { numRuns: mutated },
    )
    // Minimums, deadlines, fees, permits, and trusted tokens in the middle may be others.
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 2)
    figure(
      '41',
      `${counts.accepted + counts.refused} mutated direct swaps: ${counts.refused} refused, ${counts.accepted} accepted with terms as good`,
    )
  })
})
