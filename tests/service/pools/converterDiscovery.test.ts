import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { type Address, type Factory, parseConfig } from '../../../service/config.ts'
import { configHash } from '../../../service/indexer/snapshotCodec.ts'
import type { ConverterState } from '../../../service/pools/converterState.ts'
import { createConverterStage } from '../../helpers/node/converterStage.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { followPools } from '../../helpers/service/followPools.ts'
import { listTokens, startListed, withoutRestless } from '../../helpers/service/listedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: ReturnType<typeof createConverterStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createConverterStage(localnet)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const {
  rpcUrl,
  ethCalls,
  readAll,
  follow,
  pools: converters,
} = followPools<ConverterState>(() => localnet, 'converter', { config: () => localnet.config })

describe('following converters', () => {
  it('lists the contracts that the config names, with their tokens', async () => {
    const { savingsVault, pooledShares, wrappedShares, pegModule } = localnet.contracts
    const { USDC, DAI } = localnet.tokens
    const found = converters(await readAll()).map(({ listing }) => [listing.address, listing.tokens])
    expect(Object.fromEntries(found)).toEqual({
      [savingsVault]: [DAI, savingsVault],
      [wrappedShares]: [pooledShares, wrappedShares],
      [pegModule]: [USDC, DAI],
    })
  })

  it('reads all converters by one request in each block, and updates those whose rates or limits moved', async () => {
    const { savingsVault, pooledShares, wrappedShares, pegModule } = localnet.contracts
    // Balancer's composable pools are read at each block as well.
    const isOther = ({ source }: Factory) => source.includes('COMPOSABLE')
    const config = {
      ...localnet.config,
      factories: localnet.config.factories.filter((factory) => !isOther(factory)),
    }
    const ledger = await readAll(config)
    await localnet.client.mine({ blocks: 1 })
    const before = ethCalls()
    expect(await follow(ledger, config)).toEqual([])
    expect(ethCalls()).toBe(before + 1)
    for (const [change, moved] of [
      [stage.step(localnet.tokens.DAI, 'transfer', [savingsVault, 5n]), savingsVault],
      [stage.step(pooledShares, 'rebase', [10n ** 21n]), wrappedShares],
      [stage.step(pegModule, 'setFees', [7n, 9n]), pegModule],
      [stage.step(savingsVault, 'setLimits', [7n, 9n]), savingsVault],
    ] as const) {
      await stage.run(change)
      expect(await follow(ledger, config)).toEqual([moved])
      expect(converters(ledger)).toEqual(converters(await readAll(config)))
    }
  })

  it('trades a converter once its rate can be read, though not when it was listed', async () => {
    const { pooledShares: address, wrappedShares } = localnet.contracts
    const code = await localnet.client.getCode({ address })
    // Reverts.
    await localnet.client.setCode({ address, bytecode: '0xfd' })
    const ledger = await readAll()
    const maxSold = () => (ledger.standing(wrappedShares)?.state as ConverterState | undefined)?.maxSold
    expect(maxSold()).toEqual([0n, 0n])
    await localnet.client.setCode({ address, bytecode: code! })
    await localnet.client.mine({ blocks: 1 })
    expect(await follow(ledger)).toEqual([wrappedShares])
    expect(maxSold()?.every((amount) => amount > 0n)).toBe(true)
    expect(converters(ledger)).toEqual(converters(await readAll()))
  })

  it('asks for nothing where the config names none', async () => {
    const config = withoutRestless(localnet.config)
    const ledger = await readAll(config)
    await localnet.client.mine({ blocks: 1 })
    const before = ethCalls()
    expect(await follow(ledger, config)).toEqual([])
    expect(ethCalls()).toBe(before)
    expect(converters(ledger)).toEqual([])
  })

  it('finds those of unlisted tokens on demand, and lists each once', async () => {
    const { savingsVault } = localnet.contracts
    const { DAI, USDC, LINK } = localnet.tokens
    const config = listTokens(localnet)
    const service = await startListed(config, rpcUrl())
    const quote = (src: Address, dst: Address) =>
      service.ask('quote', { src, dst, amount: String(10n ** 18n), gasPrice: '0' })
    // The peg module's tokens are listed.
    expect(converters(service.pools)).toHaveLength(1)
    const { status, body } = await quote(DAI, savingsVault)
    expect(status).toBe(200)
    const { pool } = await stage.poolOf(savingsVault, 'erc4626')
    expect(body.dstAmount).toBe(String(pool.quote(DAI, savingsVault, 10n ** 18n)))
    expect(converters(service.pools)).toHaveLength(2)
    const calls = ethCalls()
    expect((await quote(LINK, USDC)).status).toBe(200)
    const asked = ethCalls() - calls
    const plain = await startListed(withoutRestless(config), rpcUrl())
    const others = ethCalls()
    expect((await plain.ask('quote', { src: LINK, dst: USDC, amount: '1', gasPrice: '0' })).status).toBe(400)
    expect(asked).toBe(ethCalls() - others)
    await plain.stop()
    await stage.run(stage.step(DAI, 'transfer', [savingsVault, 10n ** 22n]))
    await service.engine.refresh()
    const richer = await stage.poolOf(savingsVault, 'erc4626')
    expect((await quote(DAI, savingsVault)).body.dstAmount).toBe(
      String(richer.pool.quote(DAI, savingsVault, 10n ** 18n)),
    )
    await service.stop()
  })
})

describe('the config of converters', () => {
  it('requires a form of them, and of no other kind', () => {
    const named = (factory: object) => ({ ...localnet.config, factories: [factory] })
    const [first] = localnet.config.factories
    expect(() => parseConfig(named({ ...first, kind: 'converter' }), 'It')).toThrow(/a converter has a form/)
    expect(() => parseConfig(named({ ...first, form: 'psm' }), 'It')).toThrow(/a converter has a form/)
    expect(() => parseConfig(named({ ...first, kind: 'converter', form: 'psm' }), 'It')).not.toThrow()
  })

  it('changes the hash of saved pools with form and holder', () => {
    const [converter] = localnet.config.factories.filter(({ kind }) => kind === 'converter')
    const hashes = [{}, { form: 'psm' as const }, { holder: localnet.tokens.DAI }].map((change) =>
      configHash({ ...localnet.config, factories: [{ ...converter!, ...change }] }),
    )
    expect(new Set(hashes).size).toBe(3)
  })
})
