import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { gasReserve } from '../../../src/background/fees/gasReserve.ts'
import { createChain } from '../../../src/evm/client.ts'
import { local } from '../../helpers/state/fakes.ts'

describe('the reserve', () => {
  const chain = {
    fees: async () => ({ maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }),
    l1Fee: async (bytes: number) => BigInt(bytes) * 3n,
    estimateGas: async () => 21_000n,
  }

  it('pays for a fifth more gas than is used, and for writing to L1', async () => {
    expect(await gasReserve(chain, 100_000n)).toBe(120_000n * 10n + 1_400n * 3n)
  })

  it('is for an approval and a long route unless the gas is known', async () => {
    expect(await gasReserve(chain)).toBe(480_000n * 10n + 1_400n * 3n)
  })
})

describe('the reserve on a chain that counts gas in another way', () => {
  const fees = async () => ({ maxFeePerGas: 10n, maxPriorityFeePerGas: 1n })
  const l1Fee = async () => 0n

  it('follows the estimate of a plain transfer, or the quote where that is more', async () => {
    const chain = { fees, l1Fee, estimateGas: async () => 269_580_441n }
    expect(await gasReserve(chain, 200_000n)).toBe(((12n * 269_580_441n * 6n) / 5n) * 10n)
    expect(await gasReserve(chain, 5_000_000_000n)).toBe(6_000_000_000n * 10n)
  })

  it('needs no estimate', async () => {
    const chain = { fees, l1Fee, estimateGas: () => Promise.reject(new Error('No.')) }
    expect(await gasReserve(chain, 100_000n)).toBe(1_200_000n)
  })
})

describe('the reserve, by a real node', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet()
  })
  afterAll(() => localnet?.stop())

  it('is what gas costs at most, and on a rollup what its oracle says of the bytes, and a quarter more', async () => {
    const network = { ...local, rpcUrl: localnet.rpcUrl }
    const chain = createChain(network)
    const { maxFeePerGas } = await chain.fees()
    expect(await gasReserve(chain, 100_000n)).toBe(120_000n * maxFeePerGas)

    // 1,000 wei per byte: multiplies the first word after the selector.
    const oracle = '0x420000000000000000000000000000000000000f'
    await localnet.client.setCode({ address: oracle, bytecode: '0x6004356103e80260005260206000f3' })
    const rollup = createChain({ ...network, rollup: 'op' })
    expect(await gasReserve(rollup, 100_000n)).toBe(120_000n * maxFeePerGas + 1_750_000n)
  })
})
