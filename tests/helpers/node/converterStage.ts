import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import type { createRandom } from '../../../bench/random.ts'
import { readArtifact } from '../../../contracts/artifact.ts'
import { deployer } from '../../../dev/chain/client.ts'
import { readPackageContract } from '../../../dev/chain/packageContracts.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address, Factory } from '../../../service/config.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { converter, converterPool } from '../../../service/pools/converter.ts'
import type { Converter, ConverterState } from '../../../service/pools/converterState.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import { deployContract } from './deployContract.ts'

const converterAbi = parseAbi([
  'function previewDeposit(uint256) view returns (uint256)',
  'function previewRedeem(uint256) view returns (uint256)',
  'function getWstETHByStETH(uint256) view returns (uint256)',
  'function getStETHByWstETH(uint256) view returns (uint256)',
  'function deposit(uint256 assets, address receiver) returns (uint256)',
  'function redeem(uint256 shares, address receiver, address owner) returns (uint256)',
  'function wrap(uint256) returns (uint256)',
  'function unwrap(uint256) returns (uint256)',
  'function sellGem(address usr, uint256 gemAmt) returns (uint256)',
  'function buyGem(address usr, uint256 gemAmt) returns (uint256)',
  'function setLimits(uint256 deposited, uint256 redeemed)',
  'function setFees(uint256 tin, uint256 tout)',
  'function rebase(uint256 pooled)',
  'function stop(bool stopped)',
  'function mint(address to, uint256 value)',
])

export type Step = { to: Address; data: Hex; from?: Address }

/** Deploys converters and tries transactions; the deployer sends steps that name no sender. */
export function createConverterStage(localnet: Localnet) {
  const { client } = localnet
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  const deploy = (name: string, args: unknown[]) => deployContract(localnet, readPackageContract(name), args)

  function step(to: Address, functionName: string, args: readonly unknown[], from?: Address): Step {
    const abi = [...converterAbi, ...erc20Abi]
    const data = encodeFunctionData({ abi, functionName, args } as never)
    return from === undefined ? { to, data } : { to, data, from }
  }

  /** Sends by the deployer; throws on a revert. */
  async function run(...steps: Step[]): Promise<void> {
    for (const { to, data } of steps) await client.execute({ to, data, gas: 2_000_000n })
  }

  async function list(factory: Factory): Promise<PoolInfo<Converter>[]> {
    const { number } = await chain.header()
    return converter.list(chain, number, [], factory, localnet.config.wrapped)
  }

  async function read(listing: PoolInfo<Converter>): Promise<ConverterState> {
    const { number } = await chain.header()
    const [state] = await converter.read(chain, number, [{ listing, before: undefined, logs: [] }])
    return state as ConverterState
  }

  return {
    deploy,
    step,
    run,
    list,
    read,

    /** Lists and reads a converter. */
    async poolOf(...args: Parameters<typeof factoryOf>) {
      const [listing] = await list(factoryOf(...args))
      if (listing === undefined) throw new Error('It is not listed.')
      const [one, other] = listing.tokens as [Address, Address]
      return { listing, pool: converterPool(listing, await read(listing)), one, other }
    },

    async mintToken(decimals: number, amount: bigint): Promise<Address> {
      const token = await deployContract(localnet, readArtifact('Token'), ['T', 'T', decimals])
      await run(step(token, 'mint', [deployer, amount]))
      return token
    },

    /**
     * Simulates each try at the present state, and returns by how much a token's balance has grown for an
     * account; undefined if a step reverts.
     */
    async growth(
      tries: readonly (readonly Step[])[],
      token: Address,
      account: Address,
    ): Promise<(bigint | undefined)[]> {
      const balance = step(token, 'balanceOf', [account])
      const grown: (bigint | undefined)[] = []
      for (let first = 0; first < tries.length; first += batch) {
        const some = tries.slice(first, first + batch)
        const outcomes = await Promise.all(
          some.map((steps) =>
            client.simulateBlocks({
              blocks: [
                {
                  calls: [balance, ...steps, balance].map(({ to, data, from = deployer }: Step) => ({
                    ...{ account: from, to, data, gas: 2_000_000n },
                  })),
                },
              ],
            }),
          ),
        )
        for (const [block] of outcomes) {
          const calls = block?.calls ?? []
          const isDone = calls.length > 0 && calls.every(({ status }) => status === 'success')
          const [before, after] = [calls[0], calls.at(-1)].map((call) => BigInt(call?.data ?? '0x0'))
          grown.push(isDone ? (after as bigint) - (before as bigint) : undefined)
        }
      }
      return grown
    },
  }
}

const batch = 25

export function factoryOf(address: Address, form: NonNullable<Factory['form']>, holder?: Address): Factory {
  const named = { kind: 'converter', source: 'CONVERTER', title: 'Converter', address, form } as const
  return { ...named, feePpm: 0, fromBlock: 0, ...(holder === undefined ? {} : { holder }) }
}

/** From dust to `most`, evenly in their number of digits. */
export function drawAmounts(random: ReturnType<typeof createRandom>, most: bigint, count: number): bigint[] {
  const exponent = Math.log10(Number(most))
  return Array.from({ length: count }, () => {
    const drawn = BigInt(Math.floor(10 ** random.between(0, exponent))) + BigInt(random.chance(0.5))
    return drawn < most ? drawn : most
  })
}

/** A reverted or empty purchase is quoted as nothing. */
export function paid(growth: bigint | undefined): bigint {
  return growth ?? 0n
}
