import {
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseEventLogs,
  parseUnits,
  toHex,
  zeroAddress,
} from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { vaultV3Owner } from '../../../dev/chain/vaultV3.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { toLowerAddress } from '../../../service/indexer/address.ts'

export type V3Order = {
  /** Per token: decimals, whole units deposited, the rate with 18 decimals; `token` instead of a new one. */
  tokens: readonly {
    token?: Address
    decimals: number
    amount: number
    rate?: bigint
    paysYieldFees?: boolean
  }[]
  /** With 18 decimals, a multiple of 1e11. */
  fee: bigint
  /** A word of the hook's flags that is set. */
  hookFlag?: number
} & ({ weights: readonly number[] } | { amplification: number })

export type V3Staged = {
  order: V3Order
  address: Address
  tokens: readonly Address[]
  /** Of tokens with rates. */
  providers: readonly (Address | undefined)[]
}

export type V3Sale = { pool: Address; sell: Address; buy: Address; amount: bigint }

const abi = parseAbi([
  'function mint(address, uint256)',
  'function transfer(address, uint256)',
  'struct TokenConfig { address token; uint8 tokenType; address rateProvider; bool paysYieldFees; }',
  'struct Roles { address pauseManager; address swapFeeManager; address poolCreator; }',
  'function create(string name, string symbol, TokenConfig[] tokens, uint256[] weights, Roles roles, uint256 fee, address hooks, bool enableDonation, bool disableUnbalancedLiquidity, bytes32 salt)',
  'function create(string name, string symbol, TokenConfig[] tokens, uint256 amplification, Roles roles, uint256 fee, address hooks, bool enableDonation, bool disableUnbalancedLiquidity, bytes32 salt)',
  'event PoolCreated(address indexed pool)',
  'function initialize(address pool, address to, address[] tokens, uint256[] amounts, uint256 minShares, bytes userData)',
  'function settle(address token, uint256 amount)',
  'function sendTo(address token, address to, uint256 amount)',
  'struct Swap { uint8 kind; address pool; address tokenIn; address tokenOut; uint256 amount; uint256 limit; bytes userData; }',
  'function swap(Swap) returns (uint256, uint256, uint256)',
  'struct Add { address pool; address to; uint256[] maxAmountsIn; uint256 minShares; uint8 kind; bytes userData; }',
  'function addLiquidity(Add) returns (uint256[], uint256, bytes)',
  'struct Remove { address pool; address from; uint256 maxShares; uint256[] minAmountsOut; uint8 kind; bytes userData; }',
  'function removeLiquidity(Remove) returns (uint256, uint256[], bytes)',
  'struct Step { address to; bytes data; }',
  'function run(Step[] steps) returns (bytes)',
  'function query(Step[] steps) returns (bytes)',
  'function balanceOf(address) view returns (uint256)',
  'function setStaticSwapFeePercentage(address pool, uint256 fee)',
  'function startAmplificationParameterUpdate(uint256, uint256)',
  'function stopAmplificationParameterUpdate()',
  'function pausePool(address)',
  'function unpausePool(address)',
  'function pauseVault()',
  'function unpauseVault()',
  'function enableRecoveryMode(address)',
  'function disableRecoveryMode(address)',
  'function setProtocolSwapFeePercentage(address, uint256)',
  'function setProtocolYieldFeePercentage(address, uint256)',
])

const gas = 20_000_000n

export type VaultV3Stage = Awaited<ReturnType<typeof createVaultV3Stage>>

/** Opens pools in the localnet's v3 vault, and changes them. The operator owns all tokens and shares. */
export async function createVaultV3Stage({ client, contracts }: Pick<Localnet, 'client' | 'contracts'>) {
  const { vaultV3: vault, vaultV3Operator: operator, vaultV3Fees } = contracts
  let made = 0
  await client.impersonateAccount({ address: vaultV3Owner })
  await client.setBalance({ address: vaultV3Owner, value: parseEther('1000') })

  async function execute(to: Address, data: Hex) {
    return client.execute({ account: vaultV3Owner, to, data, gas })
  }

  const encode = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args } as never)
  const write = (to: Address, functionName: string, args: readonly unknown[]) =>
    execute(to, encode(functionName, args))
  const step = (functionName: string, args: readonly unknown[], to: Address = vault) => {
    return { to, data: encode(functionName, args) }
  }
  const paid = (token: Address, amount: bigint) => [
    step('transfer', [vault, amount], token),
    step('settle', [token, amount]),
  ]

  async function createToken(decimals: number): Promise<Address> {
    const { abi: own, bytecode } = readArtifact('Token')
    const data = encodeDeployData({ abi: own, bytecode, args: ['Token', 'T', decimals] })
    const { contractAddress } = await client.execute({ account: vaultV3Owner, data, gas })
    const token = toLowerAddress(contractAddress!)
    await write(token, 'mint', [operator, 2n ** 200n])
    return token
  }

  /** Answers any call with what its first slot holds. */
  async function createProvider(rate: bigint): Promise<Address> {
    const address = pad(toHex(0xa7e0_0000 + ++made), { size: 20 })
    await client.setCode({ address, bytecode: '0x60005460005260206000f3' })
    await setRate(address, rate)
    return address
  }

  function setRate(address: Address, rate: bigint): Promise<void> {
    return client.setStorageAt({ address, index: pad('0x0'), value: pad(toHex(rate)) })
  }

  /** Answers any call with words of which the first and one more are true. */
  async function createHook(flag: number): Promise<Address> {
    const address = pad(toHex(0x400c_0000 + ++made), { size: 20 })
    const place = (32 * flag).toString(16).padStart(2, '0')
    await client.setCode({ address, bytecode: `0x6001600052600160${place}526101406000f3` })
    return address
  }

  async function shares(pool: Address): Promise<bigint> {
    return client.readContract({ address: pool, abi, functionName: 'balanceOf', args: [operator] })
  }

  return {
    setRate,

    async open(order: V3Order): Promise<V3Staged> {
      const sides: {
        token: Address
        amount: bigint
        weight: bigint
        provider: Address | undefined
        pays: boolean
      }[] = []
      for (const [i, { token, decimals, amount, rate, paysYieldFees = false }] of order.tokens.entries()) {
        sides.push({
          token: token ?? (await createToken(decimals)),
          amount: parseUnits(amount.toFixed(decimals), decimals),
          weight: 'weights' in order ? BigInt(order.weights[i]!) * 10n ** 16n : 0n,
          provider: rate === undefined ? undefined : await createProvider(rate),
          pays: paysYieldFees,
        })
      }
      sides.sort((a, b) => (a.token < b.token ? -1 : 1))
      const configs = sides.map(({ token, provider, pays: paysYieldFees }) => {
        const tokenType = provider === undefined ? 0 : 1
        return { token, tokenType, rateProvider: provider ?? zeroAddress, paysYieldFees }
      })
      const hooks = order.hookFlag === undefined ? zeroAddress : await createHook(order.hookFlag)
      const roles = { pauseManager: zeroAddress, swapFeeManager: vaultV3Owner, poolCreator: zeroAddress }
      const shape = 'weights' in order ? sides.map(({ weight }) => weight) : BigInt(order.amplification)
      const factory = 'weights' in order ? contracts.weightedV3Factory : contracts.stableV3Factory
      const salt = pad(toHex(0x57a6_0000 + ++made))
      const isHooked = order.hookFlag !== undefined
      const { logs } = await write(factory, 'create', [
        ...['Pool', 'P', configs, shape, roles, order.fee, hooks, true, isHooked, salt],
      ])
      const created = parseEventLogs({ abi, logs, eventName: 'PoolCreated' })
      const address = toLowerAddress(created[0]!.args.pool)
      const tokens = sides.map(({ token }) => token)
      const staged = { order, address, tokens, providers: sides.map(({ provider }) => provider) }
      const amounts = sides.map(({ amount }) => amount)
      if (amounts.some((amount) => amount > 0n)) await initialize(staged, amounts)
      return staged
    },

    initialize,

    /** Reverts unless the vault's output is `bought`: it must be settled. */
    async swap({ pool, sell, buy, amount }: V3Sale, bought: bigint): Promise<void> {
      const given = { kind: 0, pool, tokenIn: sell, tokenOut: buy, amount, limit: 0n, userData: '0x' }
      const steps = [step('swap', [given]), ...paid(sell, amount), step('sendTo', [buy, operator, bought])]
      await write(operator, 'run', [steps])
    },

    /** AddLiquidityKind.UNBALANCED, or DONATION. */
    async add(
      { address: pool, tokens }: V3Staged,
      amounts: readonly bigint[],
      kind: 1 | 3 = 1,
    ): Promise<void> {
      const given = { pool, to: operator, maxAmountsIn: amounts, minShares: 0n, kind, userData: '0x' }
      const payments = tokens.flatMap((token, i) => (amounts[i] ? paid(token, amounts[i]) : []))
      await write(operator, 'run', [[step('addLiquidity', [given]), ...payments]])
    },

    /** RemoveLiquidityKind.PROPORTIONAL, of the operator's shares; asks for the amounts first. */
    async remove({ address: pool, tokens }: V3Staged, part: bigint): Promise<void> {
      const [maxShares, minAmountsOut] = [(await shares(pool)) / part, tokens.map(() => 0n)]
      const given = { pool, from: operator, maxShares, minAmountsOut, kind: 0, userData: '0x' }
      const removal = step('removeLiquidity', [given])
      const [answer] = await ask([[removal]])
      const shape = parseAbiParameters('uint256, uint256[], bytes')
      const [, amounts] = decodeAbiParameters(shape, answer!)
      const payouts = tokens.map((token, i) => step('sendTo', [token, operator, amounts[i]]))
      await write(operator, 'run', [[removal, ...payouts]])
    },

    setFee: ({ address }: V3Staged, fee: bigint) =>
      write(vault, 'setStaticSwapFeePercentage', [address, fee]),
    setAggregateFee: ({ address }: V3Staged, fee: bigint) =>
      write(vaultV3Fees, 'setProtocolSwapFeePercentage', [address, fee]),
    setYieldFee: ({ address }: V3Staged, fee: bigint) =>
      write(vaultV3Fees, 'setProtocolYieldFeePercentage', [address, fee]),
    async startRamp({ address }: V3Staged, amplification: bigint, seconds: bigint): Promise<void> {
      const { timestamp } = await client.getBlock()
      await write(address, 'startAmplificationParameterUpdate', [amplification, timestamp + seconds])
    },
    stopRamp: ({ address }: V3Staged) => write(address, 'stopAmplificationParameterUpdate', []),
    setPoolPaused: ({ address }: Pick<V3Staged, 'address'>, isPaused: boolean) =>
      write(vault, isPaused ? 'pausePool' : 'unpausePool', [address]),
    setVaultPaused: (isPaused: boolean) => write(vault, isPaused ? 'pauseVault' : 'unpauseVault', []),
    setRecovery: ({ address }: V3Staged, isOn: boolean) =>
      write(vault, isOn ? 'enableRecoveryMode' : 'disableRecoveryMode', [address]),

    /** Undefined where the vault reverts. */
    async quote(sales: readonly V3Sale[], blockNumber: bigint): Promise<(bigint | undefined)[]> {
      const swaps = sales.map(({ pool, sell, buy, amount }) => [
        step('swap', [{ kind: 0, pool, tokenIn: sell, tokenOut: buy, amount, limit: 0n, userData: '0x' }]),
      ])
      const answers = await ask(swaps, blockNumber)
      return answers.map((answer) => answer && BigInt(answer.slice(0, 66)))
    },
  }

  async function initialize({ address, tokens }: V3Staged, amounts: readonly bigint[]): Promise<void> {
    const payments = tokens.flatMap((token, i) => paid(token, amounts[i]!))
    const args = [address, operator, tokens, amounts, 0n, '0x']
    await write(operator, 'run', [[step('initialize', args), ...payments]])
  }

  /** Answers of the first steps, in calls that change nothing. */
  async function ask(
    lists: readonly (readonly { to: Address; data: Hex }[])[],
    blockNumber?: bigint,
  ): Promise<(Hex | undefined)[]> {
    const found: (Hex | undefined)[] = []
    for (let i = 0; i < lists.length; i += 100) {
      const some = lists.slice(i, i + 100).map(async (steps) => {
        const data = encode('query', [steps])
        const call = { account: zeroAddress, to: operator, data, gas, ...(blockNumber && { blockNumber }) }
        const answer = await client.call(call).catch(() => undefined)
        if (answer?.data === undefined) return undefined
        const [inner] = decodeAbiParameters(parseAbiParameters('bytes'), answer.data)
        return decodeAbiParameters(parseAbiParameters('bytes[]'), inner)[0][0]
      })
      found.push(...(await Promise.all(some)))
    }
    return found
  }
}
