import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import type { CalldataTerms as Read, SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { place } from '../../helpers/bendBytes.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import {
  account,
  agreed,
  answer,
  dai,
  deadlines,
  mutate,
  refusal,
  tellMutated,
  thief,
  weth,
} from '../../helpers/samples/swapCalldata.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const mutated = runs(10_000, 100_000)

describe('verifySwapCalldata: short entry points', () => {
  const shapes = ['', '2', '3'].flatMap((number, index) => {
    const pools = Array.from({ length: index + 1 }, (_, pool) => 0xf00n + BigInt(pool))
    return [
      { name: `unoswap${number}`, to: false, eth: false, pools },
      { name: `unoswapTo${number}`, to: true, eth: false, pools },
      { name: `ethUnoswap${number}`, to: false, eth: true, pools },
      { name: `ethUnoswapTo${number}`, to: true, eth: true, pools },
    ]
  })
  type Shape = (typeof shapes)[number]
  type Said = { receiver: bigint; sell: bigint; amount: bigint; floor: bigint }

  const agreementOf = ({ eth }: Shape): SwapExpectations =>
    eth ? { ...agreed, trade: { ...agreed.trade, sell: nativeTokenAddress } } : agreed

  function short(shape: Shape, changes: Partial<Said> = {}): SwapTransaction {
    const { trade, floor } = agreementOf(shape)
    const said = {
      receiver: BigInt(account),
      sell: BigInt(trade.sell),
      amount: trade.amount,
      floor,
      ...changes,
    }
    const words = [
      ...(shape.to ? [said.receiver] : []),
      ...(shape.eth ? [] : [said.sell, said.amount]),
      said.floor,
      ...shape.pools,
    ]
    const signature = `function ${shape.name}(${words.map(() => 'uint256').join(', ')})`
    const abi = parseAbi([signature] as readonly string[])
    const data = encodeFunctionData({ abi, functionName: shape.name, args: words })
    return { ...answer(agreementOf(shape)), data }
  }

  const read = (shape: Shape, transaction = short(shape), agreement = agreementOf(shape)): Read =>
    verifySwapCalldata(transaction, agreement, { strict: false, isBindingRouter: true, deadlines })
  const factOf = (shape: Shape, transaction: SwapTransaction, agreement = agreementOf(shape)) =>
    refusal(transaction, agreement, false).facts.fact

  it.each(shapes)('accepts $name only without strict mode, and never as binding', (shape) => {
    expect(read(shape)).toEqual({ floor: agreed.floor, isBinding: false })
    expect(read(shape, short(shape, { floor: agreed.floor + 1n })).floor).toBe(agreed.floor + 1n)
    const strictly = refusal(short(shape), agreementOf(shape))
    expect(strictly.facts).toMatchObject({ fact: 'selector', found: short(shape).data.slice(0, 10) })
  })

  it.each(shapes)('verifies every term of $name', (shape) => {
    const low = refusal(short(shape, { floor: agreed.floor - 1n }), agreementOf(shape), false)
    expect(low.code).toBe('below-floor')
    expect(factOf(shape, { ...short(shape), value: agreed.trade.amount - 1n })).toBe('value')
    expect(factOf(shape, { ...short(shape), to: thief })).toBe('router')
    expect(factOf(shape, { ...short(shape), from: thief })).toBe('sender')
    if (!shape.eth) {
      expect(factOf(shape, short(shape, { sell: BigInt(weth) }))).toBe('sell')
      expect(factOf(shape, short(shape, { sell: BigInt(dai) | (1n << 160n) }))).toBe('sell')
      expect(factOf(shape, short(shape, { sell: 0n }))).toBe('sell')
      expect(factOf(shape, short(shape, { amount: agreed.trade.amount + 1n }))).toBe('amount')
    }
    if (shape.to) {
      expect(factOf(shape, short(shape, { receiver: BigInt(thief) }))).toBe('receiver')
      expect(factOf(shape, short(shape, { receiver: BigInt(account) | (1n << 255n) }))).toBe('receiver')
      expect(factOf(shape, short(shape, { receiver: 0n }))).toBe('receiver')
    }
    // Would be another function's length.
    for (const data of [`${short(shape).data}${'00'.repeat(32)}`, short(shape).data.slice(0, -2)] as Hex[]) {
      expect(factOf(shape, { ...short(shape), data })).toBe('encoding')
    }
  })

  it.each(shapes)('verifies the recipient of $name', (shape) => {
    const agreement = { ...agreementOf(shape), receiver: thief }
    const fits = short(shape, { receiver: BigInt(thief) })
    if (shape.to) expect(read(shape, fits, agreement).isBinding).toBe(false)
    else expect(factOf(shape, fits, agreement)).toBe('receiver')
  })

  it('rejects a token entry point for a native token sale, and vice versa', () => {
    const [tokens, coins] = [shapes[0]!, shapes[2]!]
    expect(factOf(tokens, short(tokens), agreementOf(coins))).toBe('sell')
    expect(factOf(coins, short(coins), agreed)).toBe('sell')
  })

  it('rejects every other function by its selector', () => {
    for (const selector of ['5816d723', '095ea7b3', 'd505accf', '00000000', '07ed2378']) {
      const data = `0x${selector}${answer().data.slice(10)}` as Hex
      const { facts } = refusal({ ...answer(), data }, agreed, false)
      expect(facts).toEqual({ fact: 'selector', expected: '0x07ed2379', found: `0x${selector}` })
    }
  })

  it(`accepts only mutations of minReturn and pools among ${mutated / 5}`, () => {
    const byteOf = (length: number) => fc.integer({ min: 0, max: length - 1 })
    const honestOnes = shapes.map((shape) => ({ shape, honest: short(shape) }))
    const mutations = fc.constantFrom(...honestOnes).chain(({ shape, honest }) => {
      const bytes = Buffer.from(honest.data.slice(2), 'hex')
      return fc.record({
        shape: fc.constant(shape),
        honest: fc.constant(honest),
        bytes: fc.constant(bytes),
        at: byteOf(bytes.length),
        flip: fc.integer({ min: 1, max: 255 }),
      })
    })
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(mutations, ({ shape, honest, bytes, at, flip }) => {
        const data = mutate(bytes, { at, flip })
        const floorAt = bytes.length - 32 * (shape.pools.length + 1)
        try {
          read(shape, { ...honest, data: `0x${data.toString('hex')}` })
          expect(data.subarray(0, floorAt)).toEqual(bytes.subarray(0, floorAt))
          counts.accepted++
        } catch (error) {
          if (!(error instanceof WalletError)) throw error
          counts.refused++
        }
      }),
      { numRuns: mutated / 5 },
    )
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 20)
    tellMutated(counts, 'calldatas of short forms')
  })
})

// Five of seven public router calls in the ERC-7730 registry (recorded.test.ts) end with a four-byte tag.
describe('verifySwapCalldata: tags after calldata of the public router', () => {
  const publicRouter: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
  const onMainnet: SwapExpectations = {
    ...agreed,
    trade: { ...agreed.trade, chainId: 1 },
    router: publicRouter,
  }
  const tags = ['5053d367', '00000000', 'ffffffff', '07ed2379']
  const shortOnes: [string, bigint[]][] = [
    ['83800a8e', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n]],
    ['8770ba91', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n]],
    ['19367472', [BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n, 9n]],
    ['e2c95c82', [BigInt(account), BigInt(dai), agreed.trade.amount, agreed.floor, 7n]],
    ['f7a70056', [BigInt(account), BigInt(dai), agreed.trade.amount, agreed.floor, 7n, 8n, 9n]],
  ]
  const wordsOf = (values: bigint[]) => values.map((value) => value.toString(16).padStart(64, '0')).join('')
  const honest: SwapTransaction[] = [
    answer(onMainnet),
    answer(onMainnet, {}, `0x${'5a'.repeat(32)}`),
    ...shortOnes.map(([selector, values]) => ({
      ...answer(onMainnet),
      data: `0x${selector}${wordsOf(values)}` as Hex,
    })),
  ]
  const behind = (transaction: SwapTransaction, bytes: string): SwapTransaction => ({
    ...transaction,
    data: `${transaction.data}${bytes}` as Hex,
  })
  const read = (transaction: SwapTransaction, agreement = onMainnet) =>
    verifySwapCalldata(transaction, agreement, { strict: false, isBindingRouter: true, deadlines })

  it.each(tags)('accepts the four-byte tag %s without a change of the terms', (tag) => {
    for (const plain of honest) expect(read(behind(plain, tag))).toEqual(read(plain))
    const shouted = behind(honest[0]!, tag).data.toUpperCase().replace('0X', '0x') as Hex
    expect(read({ ...honest[0]!, data: shouted }).floor).toBe(agreed.floor)
  })

  it('rejects any other number of trailing bytes', () => {
    for (const plain of honest) {
      for (let count = 1; count <= 100; count++) {
        if (count === 4) continue
        for (const byte of ['00', '5f']) {
          const { facts } = refusal(behind(plain, byte.repeat(count)), onMainnet, false)
          expect([count, facts.fact]).toEqual([count, 'encoding'])
        }
      }
    }
  })

  it('rejects tags at the built-in router, at a pinned one and on a chain without the public router', () => {
    const ours: SwapExpectations = {
      ...agreed,
      trade: { ...agreed.trade, chainId: 31337 },
      router: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    }
    const pinned: SwapExpectations = { ...onMainnet, router: thief }
    const elsewhere: SwapExpectations = { ...onMainnet, trade: { ...onMainnet.trade, chainId: 31337 } }
    for (const agreement of [ours, pinned, elsewhere]) {
      for (const plain of honest) {
        const there = { ...plain, trade: agreement.trade, to: agreement.router }
        expect(read(there, agreement).floor).toBe(agreed.floor)
        expect(refusal(behind(there, '5053d367'), agreement, false).facts.fact).toBe('encoding')
      }
    }
  })

  it(`accepts of ${mutated / 5} tagged mutations only those accepted without the tag`, () => {
    const change = fc.record({
      which: fc.nat(honest.length - 1),
      tag: fc.constantFrom(...tags),
      place,
      flip: fc.integer({ min: 1, max: 255 }),
    })
    const verdict = (transaction: SwapTransaction) => {
      try {
        return read(transaction)
      } catch (error) {
        if (error instanceof WalletError) return error.facts.fact
        throw error
      }
    }
    const counts = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(change, ({ which, tag, place, flip }) => {
        const bytes = Buffer.from(honest[which]!.data.slice(2), 'hex')
        const at = Math.floor(place * bytes.length)
        bytes[at]! ^= flip
        const plain = { ...honest[which]!, data: `0x${bytes.toString('hex')}` as Hex }
        const found = verdict(plain)
        expect(verdict(behind(plain, tag))).toEqual(found)
        counts[typeof found === 'object' ? 'accepted' : 'refused']++
      }),
      { numRuns: mutated / 5 },
    )
    expect(counts.accepted).toBeGreaterThan(mutated / 100)
    expect(counts.refused).toBeGreaterThan(mutated / 20)
    figure('41', `${mutated / 5} mutated calldatas with four bytes behind them: each taken as it is without`)
  })

  it('rejects calldata cut to the length of a tagged call', () => {
    const [plain] = honest
    // Cut to the length of a plain call with a tag.
    const cut = { ...plain!, data: plain!.data.slice(0, -56) as Hex }
    expect(refusal(cut, onMainnet, false).facts.fact).toBe('encoding')
  })
})
