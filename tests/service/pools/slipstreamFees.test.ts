import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { view } from '../../../service/indexer/abiWords.ts'
import type { Call, Chain } from '../../../service/indexer/chain.ts'
import { readSlipstreamFees } from '../../../service/pools/slipstreamFees.ts'

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`
const [factory, pool, first, second] = ['f', 'a', '1', '2'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]
const readings = [{ pool, factory }]
const word = (value: bigint | number) => value.toString(16).padStart(64, '0')

/** The second module alone has a fee that moves. */
function answer(module: Address, { to, data }: Call): `0x${string}` {
  if (data === view('function swapFeeModule()')()) return `0x${word(BigInt(module))}`
  if (to === factory) return `0x${word(module === first ? 100 : 200)}`
  if (to === first) return data === view('function MAX_FEE()')() ? `0x${word(30_000)}` : '0x'
  if (to === second && data.length > 10) return `0x${[200, 0, 5, 0].map(word).join('')}`
  if (to === second) return data === view('function MAX_FEE()')() ? '0x' : `0x${word(10)}`
  return `0x${[2 ** 40, 0, 0, 0, 600].map(word).join('')}`
}

function createFakeChain(module: Address) {
  const fake = {
    module,
    requests: 0,
    gates: [] as (Promise<void> | undefined)[],
    chain: undefined as unknown as Chain,
  }
  const read: Chain['read'] = async (lists) => {
    fake.requests++
    await fake.gates.shift()
    return lists.map((calls) => calls.map((call) => answer(fake.module, call)))
  }
  fake.chain = { read } as Chain
  return fake
}

const ofFirst = { feePpm: 100, module: first, isMoving: false, observations: 0 }
const ofSecond = { feePpm: 200, module: second, isMoving: true, observations: 600 }

describe('readSlipstreamFees', () => {
  it('remembers the modules of each chain apart, where chains share addresses', async () => {
    const [one, other] = [createFakeChain(first), createFakeChain(second)]
    for (const count of [2, 3, 4]) {
      expect(await readSlipstreamFees(one.chain, 1n, readings)).toEqual([ofFirst])
      expect(await readSlipstreamFees(other.chain, 1n, readings)).toEqual([ofSecond])
      expect([one.requests, other.requests]).toEqual([count, count])
    }
  })

  it('asks the new module also in a read that another one overtakes', async () => {
    const fake = createFakeChain(first)
    await readSlipstreamFees(fake.chain, 1n, readings)
    fake.module = second
    let open = () => {}
    fake.gates = [new Promise((resolve) => (open = resolve))]
    const slower = readSlipstreamFees(fake.chain, 2n, readings)
    expect(await readSlipstreamFees(fake.chain, 2n, readings)).toEqual([ofSecond])
    open()
    expect(await slower).toEqual([ofSecond])
  })
})
