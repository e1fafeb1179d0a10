import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  maxUint160,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
} from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { byConverter, byCurve, byV2, byV3, byVault, openMarket } from '../market.ts'
import type { Stage } from '../stage.ts'
import { type Ask, native } from './ask.ts'
import { repertoire } from './repertoire.ts'

/** `seed` feeds the rogues' choices; they pay in `paid` and take `taken`. */
export type Step = {
  ask: Ask
  gas: bigint
  seed: bigint
  paid: readonly Address[]
  taken: readonly Address[]
}
/** `tries`: moves of the rogues; `hits`: successful ones. */
export type Outcome = { done: boolean; answer: Hex; tries: bigint; hits: bigint; breach: Breach }
type Breach = { what: string; token: Address; before: bigint; found: bigint }
export type Gauntlet = Awaited<ReturnType<typeof openGauntlet>>

const actorAbi = parseAbi([
  'function perform(address target, bytes data)',
  'function mint(address, uint256)',
  'function approve(address, uint256)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function feed(address) payable',
])

/**
 * Opens a stage with rogues (contracts/test/hostile) that pose as pools, recipients and referrers, and two
 * rogue tokens. The router holds tokens; a bystander approves it for everything.
 */
export async function openGauntlet(stage: Stage) {
  const { client, contracts, router, bystander, stranger } = stage
  const { abi } = readArtifact('Gauntlet')
  const seller = await stage.deploy('Gauntlet')
  const rogues: Address[] = []
  for (let count = 0; count < 3; count++) rogues.push(await stage.deploy('Rogue', [seller]))
  const ofVault = await stage.deploy('Rogue', [seller])
  const taxed = await stage.deploy('RogueToken', [seller, false])
  const liar = await stage.deploy('RogueToken', [seller, true])
  const feeder = await stage.deploy('Feeder')
  const { WETH, USDC, USDT, DAI, LINK, DTT } = stage.tokens
  const tokens = [native, WETH, USDC, USDT, DAI, LINK, DTT, taxed, liar]

  for (const token of tokens.slice(1)) await endow(token)
  for (const actor of [seller, ...rogues])
    await client.setBalance({ address: actor, value: parseEther('1000') })
  await send(stranger, feeder, encode('feed', [router]), parseEther('2'))
  const market = await openMarket(stage, { taxed, liar })
  const crooked = await registerRogue()

  const spenders = [contracts.vault, contracts.permit2, contracts.v2Router, market.pairs.wethUsdc, ...rogues]
  await direct('cast', [router, bystander, rogues, tokens.filter((token) => token !== liar), spenders])
  const [thief, accomplice] = rogues as [Address, Address]
  const moves = repertoire(stage, market, { seller, thief, accomplice, feeder, minted: [taxed, liar] })
  for (let first = 0; first < moves.length; first += 8) await direct('teach', [moves.slice(first, first + 8)])
  // Records the initial balances.
  await direct('look', [native, 0n])

  return {
    ...{ stage, seller, rogues, tokens, ways: market.ways },
    crooks: [
      ...[...rogues.map(byV3), ...rogues.map(byV2), byVault(crooked)],
      ...rogues.flatMap((rogue) => [0, 1, 2].map((form) => byCurve(rogue, form))),
      ...rogues.flatMap((rogue) => [0, 1, 2, 3, 4, 5].map((form) => byConverter(rogue, form))),
    ],
    /** Pools that trade the native token. */
    nativeCrooks: rogues.flatMap((rogue) => [0, 1, 2].map((form) => byCurve(rogue, form))),

    /** Simulates the steps; the chain stays unchanged. */
    async run(steps: readonly Step[]): Promise<Outcome[]> {
      const calls = steps.map(({ ask, gas, seed, paid, taken }) => {
        const { data: swap, value = 0n } = stage.toCall(ask)
        const sold = ask.srcToken ?? ask.tokens[0]
        const step = { swap, value, gas, sold, amount: ask.amount, seed, paid, taken }
        const input = encodeFunctionData({ abi, functionName: 'run', args: [step] })
        return { from: stranger, to: seller, gas: numberToHex(30_000_000), input }
      })
      const blockOverrides = { gasLimit: numberToHex(2n ** 40n) }
      // viem's action would parse every log.
      const [block] = (await client.request({
        method: 'eth_simulateV1',
        params: [{ blockStateCalls: [{ blockOverrides, calls }] }, 'latest'],
      } as never)) as [{ calls: { status: Hex; returnData: Hex }[] }]
      return block.calls.map(({ status, returnData: data }) => {
        if (status !== '0x1') throw new Error(`The gauntlet itself reverted: ${data}`)
        const results = decodeFunctionResult({ abi, functionName: 'run', data })
        const [done, answer, tries, hits, breach] = results as [boolean, Hex, bigint, bigint, Breach]
        return { done, answer, tries, hits, breach }
      })
    },
  }

  async function endow(token: Address) {
    const owner = client.account.address
    const unit = token === USDC || token === USDT ? 10n ** 6n : parseEther('1')
    const isRogue = token === taxed || token === liar
    if (isRogue) await send(stranger, token, encode('mint', [owner, unit * 100_000n]))
    const toRouter = encode('approve', [router, maxUint256])
    const toPermit2 = encode('approve', [contracts.permit2, maxUint256])
    const atPermit2 = encode('approve', [token, router, maxUint160, 2 ** 47])
    for (const actor of [seller, ofVault, ...rogues]) {
      await stage.write(token, 'transfer', [actor, unit * 1_000n], owner)
      await perform(actor, token, toRouter)
    }
    await perform(seller, token, toPermit2)
    await perform(seller, contracts.permit2, atPermit2)
    await stage.write(token, 'transfer', [bystander, unit], owner)
    // The stage approved the other tokens.
    if (isRogue) await send(bystander, token, toRouter)
    await send(bystander, token, toPermit2)
    await send(bystander, contracts.permit2, atPermit2)
    await stage.write(token, 'transfer', [router, unit / 2n], owner)
  }

  async function registerRogue() {
    const amounts = new Map([
      [WETH, parseEther('10')],
      [USDC, 30_000_000n],
      [DAI, parseEther('300')],
    ])
    const pool = await stage.register(ofVault, amounts, (target, data) => perform(ofVault, target, data))
    await stage.join(pool.aux, amounts)
    return pool
  }

  async function direct(functionName: string, args: unknown[]) {
    await send(stranger, seller, encodeFunctionData({ abi, functionName, args }))
  }

  async function perform(actor: Address, target: Address, data: Hex) {
    await send(stranger, actor, encode('perform', [target, data]))
  }

  async function send(from: Address, to: Address, data: Hex, value = 0n) {
    const { status } = await stage.send({ from, to, data, value })
    if (status !== 'success')
      throw new Error(`The gauntlet could not be set up: ${data.slice(0, 10)} at ${to}.`)
  }
}

function encode(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: actorAbi, functionName, args } as never)
}
