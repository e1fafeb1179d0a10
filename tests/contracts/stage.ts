import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  maxUint256,
  zeroAddress,
} from 'viem'
import { expect } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import { createBalancer } from './balancer.ts'
import { type Ask, branchesOf, encodeRoute, native } from './fuzz/ask.ts'
import { type Call, createCalls, type Refusal } from './fuzz/calls.ts'
import { createPuppets } from './fuzz/puppets.ts'
import { createPools } from './pools.ts'

/** Milliseconds: building the localnet anew is slow. */
export const patience = 300_000

export type Stage = Awaited<ReturnType<typeof openStage>>

/** Pays between pools directly, or never (contracts/test/CustodyRouter.sol). */
export const routers = ['SwapRouter', 'CustodyRouter'] as const

/**
 * Opens a localnet whose seller and bystander approved the router; the bystander never calls it, the stranger
 * attacks.
 */
export async function openStage(contract: (typeof routers)[number] = 'SwapRouter') {
  const localnet = await createLocalnet()
  const { client, tokens, accounts } = localnet
  const deployed = contract === 'SwapRouter' ? {} : { router: await deployRouter(localnet, contract) }
  const contracts = { ...localnet.contracts, ...deployed }
  const { router } = contracts
  const { abi } = readArtifact('SwapRouter')
  const [seller, bystander, stranger] = accounts.slice(1).map(({ address }) => address) as [
    Address,
    Address,
    Address,
  ]
  const referrer: Address = '0x00000000000000000000000000000000000fee00'
  const calls = createCalls(client)
  const { send, balance, ask: call, refusalOf } = calls

  await client.request({ method: 'anvil_autoImpersonateAccount' as never, params: [true] as never })
  for (const owner of [seller, bystander]) {
    for (const token of Object.values(tokens)) {
      await calls.write(token, 'approve', [router, maxUint256], owner)
    }
  }

  function toCall(ask: Ask): Call {
    const { router = contracts.router } = ask
    const src = ask.tokens[0] ?? zeroAddress
    const desc = {
      srcToken: ask.srcToken ?? src,
      dstToken: ask.dstToken ?? ask.tokens.at(-1) ?? zeroAddress,
      srcReceiver: ask.srcReceiver ?? router,
      dstReceiver: ask.to ?? zeroAddress,
      amount: ask.amount,
      minReturnAmount: ask.least ?? 1n,
      flags: ask.flags ?? 0n,
    }
    const args = [ask.executor ?? router, desc, ask.data ?? encodeRoute(ask)]
    const value = ask.value ?? (src === native ? ask.amount : 0n)
    const data = encodeFunctionData({ abi, functionName: 'swap', args })
    return { from: ask.from ?? seller, to: router, value, data }
  }

  async function simulate(ask: Ask) {
    return decodeSwap(await call(toCall(ask)))
  }

  function decodeSwap(data: Hex): { returned: bigint; spent: bigint } {
    const [returned, spent] = decodeFunctionResult({ abi, functionName: 'swap', data }) as [bigint, bigint]
    return { returned, spent }
  }

  function refusal(ask: Ask): Promise<Refusal> {
    return refusalOf(toCall(ask))
  }

  /** Returns the result and the actual changes without gas. Fails when anything else changed. */
  async function swap(ask: Ask) {
    const [src, dst] = [ask.tokens[0]!, ask.tokens.at(-1)!]
    const { from = seller } = ask
    const { to = from } = ask
    const answer = await simulate(ask)
    const before = await look()
    const receipt = await send(toCall(ask))
    expect(receipt.status).toBe('success')
    const after = await look()
    const cost = receipt.gasUsed * receipt.effectiveGasPrice

    expect(after.untouchable).toEqual(before.untouchable)
    const paid = before.paid - after.paid - (src === native ? cost : 0n)
    const arrived = after.arrived - before.arrived + (dst === native && to === from ? cost : 0n)
    return { ...answer, paid, arrived, gas: receipt.gasUsed, logs: receipt.logs }

    async function look() {
      return {
        paid: await balance(src, from),
        arrived: await balance(dst, to),
        untouchable: await untouchable(ask),
      }
    }
  }

  async function untouchable(ask: Ask): Promise<unknown[]> {
    const erc20 = [...new Set([...Object.values(tokens), ...ask.tokens])].filter((token) => token !== native)
    const { router = contracts.router } = ask
    const pools = branchesOf(ask).flatMap(({ hops }) => hops.flatMap(({ pool }) => pool ?? []))
    const spenders = [contracts.vault, contracts.permit2, ...pools]
    return calls.readAll([
      ...[router, bystander].map((owner) => [contracts.multicall, 'getEthBalance', owner] as const),
      ...erc20.flatMap((token) => [
        ...[router, bystander].map((owner) => [token, 'balanceOf', owner] as const),
        ...spenders.map((spender) => [token, 'allowance', router, spender] as const),
      ]),
    ])
  }

  async function rehearse<T>(act: () => Promise<T>): Promise<T> {
    const id = await client.snapshot()
    try {
      return await act()
    } finally {
      await client.revert({ id })
    }
  }

  return {
    ...{ client, contracts, tokens, router, accounts },
    ...{ seller, bystander, stranger, referrer },
    ...{ ...calls, toCall, simulate, decodeSwap, refusal, swap, untouchable, rehearse },
    ...createPools(localnet, calls),
    ...createBalancer(localnet, calls),
    ...createPuppets(calls, stranger),
    deploy: (name: string, args?: unknown[]) => calls.deploy(stranger, name, args),
    stop: () => localnet.stop(),
  }
}

/** Deploys another router than the localnet's, with the same arguments. */
export function deployRouter(
  { client, contracts, tokens, accounts }: Pick<Localnet, 'client' | 'contracts' | 'tokens' | 'accounts'>,
  contract: (typeof routers)[number],
): Promise<Address> {
  const { permit2, vault, poolManager, vaultV3 } = contracts
  const args = [tokens.WETH, permit2, vault, poolManager, vaultV3]
  return createCalls(client).deploy(accounts[3]!.address, contract, args)
}
