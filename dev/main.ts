import { parseArgs } from 'node:util'
import { mnemonic } from './chain/accounts.ts'
import { writeChainFiles } from './chain/chainFiles.ts'
import { createLocalnet, type Localnet } from './localnet.ts'
import { openPort } from './port.ts'

// Runs the localnet until Ctrl-C.
// npm run localnet: node on 8545, faucet on 8788, or free ports
// npm run localnet -- --chain-id 8453: same addresses on another chain id
// npm run localnet -- --write-config: updates service/chains and exits

const wanted = { node: 8545, faucet: 8788 }

try {
  const { values } = parseArgs({
    options: { 'chain-id': { type: 'string', default: '31337' }, 'write-config': { type: 'boolean' } },
  })
  const chainId = Number(values['chain-id'])
  if (!Number.isSafeInteger(chainId) || chainId < 1)
    throw new Error('--chain-id takes a whole number from 1.')
  if (values['write-config']) await writeChainFiles()
  else await run(chainId)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

async function run(chainId: number): Promise<void> {
  const localnet = await createLocalnet({
    chainId,
    port: await openPort(wanted.node),
    faucetPort: await openPort(wanted.faucet),
    blockTimeSeconds: 2,
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void localnet.stop().then(() => process.exit(0)))
  }
  console.log(summary(localnet))
}

function summary(localnet: Localnet): string {
  const { rpcUrl, faucetUrl = '' } = localnet
  return [
    `Localnet on chain ${localnet.chainId}. Ctrl-C ends it.`,
    `  node    ${rpcUrl}${note(rpcUrl, wanted.node)}`,
    `  faucet  ${faucetUrl}${note(faucetUrl, wanted.faucet)}  POST /{address}`,
    ...section('Contracts', Object.entries(localnet.contracts)),
    ...section('Tokens', Object.entries(localnet.tokens)),
    ...section(
      'Pools',
      localnet.pools.map(({ title, address }) => [title, address]),
    ),
    ...section(
      `Accounts ("${mnemonic}")`,
      localnet.accounts.map(({ address, privateKey }) => [address, privateKey]),
    ),
  ].join('\n')
}

function note(url: string, port: number): string {
  return url.endsWith(`:${port}`) ? '' : `  (${port} was taken)`
}

function section(title: string, rows: [name: string, value: string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return ['', title, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)]
}
