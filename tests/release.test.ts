import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Hex, hexToBytes, keccak256, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoAccounts, mnemonic } from '../dev/chain/accounts.ts'
import { startAnvil } from '../dev/chain/anvil.ts'
import { readBuild, readPackageFile } from '../dev/chain/artifacts.ts'
import { canonical, readPreinstalls } from '../dev/chain/preinstalls.ts'
import own from '../package.json' with { type: 'json' }
import lock from '../package-lock.json' with { type: 'json' }
import { swapRouter02CodeHash } from '../src/domain/swap/swapRouter02.ts'
import { readRouterCode, routerChainIds } from './helpers/routerCode.ts'

const root = resolve(import.meta.dirname, '..')
const builds = ['chrome-mv3', 'firefox-mv3']

let publicNumbers: Set<string>
beforeAll(async () => {
  publicNumbers = await readPublicNumbers()
})

const secrets: Record<string, { like: RegExp; canary: string }> = {
  'a private key': { like: /-----BEGIN (\w+ )*PRIVATE KEY/, canary: '-----BEGIN EC PRIVATE KEY-----' },
  'a key of a cloud': { like: /\b(AKIA|ASIA)[0-9A-Z]{16}\b/, canary: `AKIA${'Q7'.repeat(8)}` },
  'a key of Google': { like: /\bAIza[\w-]{35}/, canary: `AIza${'a1_-x'.repeat(7)}` },
  'a token of GitHub': { like: /\b(gh[pousr]_\w{36}|github_pat_\w{40})/, canary: `ghp_${'a1'.repeat(18)}` },
  'a token of npm': { like: /\bnpm_\w{36}/, canary: `npm_${'a1'.repeat(18)}` },
  'a token of a chat': { like: /\bxox[abeoprs]-[\w-]{10}/, canary: `xoxb-${'12'.repeat(8)}` },
  'a key of a bank or a model': { like: /\b[sr]k[-_][\w-]{24}/, canary: `sk_live_${'a1'.repeat(12)}` },
  'a signed token': {
    like: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\./,
    canary: `eyJ${'a'.repeat(9)}.eyJ${'b'.repeat(9)}.c`,
  },
  'a bearer': { like: /\bBearer [\w.~+/-]{16}/, canary: `Bearer ${'a1'.repeat(8)}` },
  'an address with a password': {
    like: /:\/\/[^\s/"'`@:]+:[^\s/"'`@$]+@/,
    canary: 'https://me:word@host.example',
  },
  // Infura, Alchemy, QuickNode and similar: the key ends the URL.
  'a node’s address with a key': {
    like: /https?:\/\/[^\s"'`]+\/[\w-]*(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}/i,
    canary: `https://mainnet.example/v3/${'a1'.repeat(16)}`,
  },
  'a setting that is a key': {
    like: /\b(api_?key|secret|auth_?token|client_?secret)["'`]?\s*[:=]\s*["'`][\w.+/-]{16,}["'`]/i,
    canary: `apiKey:'${'a1'.repeat(8)}'`,
  },
}

/** Computed from installed sources where possible. Any other 32-byte number could be a key. */
async function readPublicNumbers(): Promise<Set<string>> {
  const anvil = await startAnvil({ chainId: 1, port: 0 })
  try {
    const routers = await Promise.all(routerChainIds.map((chainId) => readRouterCode(anvil.rpcUrl, chainId)))
    const codes = [...readPublishedCodes(), ...routers]
    const texts = eventsAndPermits.map((text) => toHex(text))
    return new Set([
      ...curve,
      ...deployed,
      swapRouter02CodeHash.slice(2),
      ...[...codes, ...texts].map((data) => keccak256(data).slice(2)),
    ])
  } finally {
    await anvil.stop()
  }
}

/** Field prime, order and endomorphism of secp256k1. */
const curve = [
  'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f',
  'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
  '7ae96a2b657c07106e64479eac3434e99cf0497512f58995c1396c28719501ee',
]

const eventsAndPermits = [
  'Transfer(address,address,uint256)',
  'Approval(address,address,uint256)',
  'ApprovalForAll(address,address,bool)',
  'TransferSingle(address,address,address,uint256,uint256)',
  'TransferBatch(address,address,address,uint256[],uint256[])',
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
]

/** Not in any installed package. */
const deployed = [
  // WETH9 on Ethereum (0xC02a…6Cc2) and Base (0x4200…0006), runtime code.
  'd0a06b12ac47863b5c7be4185c2deaad1c61557033f56c7d4ea74429cbb25e23',
  '8a3a1f6a9f9dce633117adee5b458245835a8645a8c8726a26382a4622508b1c',
  // INIT_CODE_HASH and POOL_INIT_CODE_HASH of PancakeSwap's v2 and v3 SDKs.
  '00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5',
  '6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
]

/** Creation code of pools, runtime code of others. */
function readPublishedCodes(): Hex[] {
  const codeOf = (name: keyof typeof canonical) =>
    readPreinstalls(1).find(({ address }) => address === canonical[name])!.bytecode
  return [
    readBuild('@uniswap/v2-core/build/UniswapV2Pair.json').bytecode,
    readBuild('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json').bytecode,
    codeOf('multicall'),
    blankPermit2(codeOf('permit2')),
    `0x${JSON.parse(readPackageFile('@uniswap/v2-periphery/build/WETH9.json')).evm.deployedBytecode.object}`,
  ]
}

/** Zeroes Permit2's immutables, chain id and domain separator (getPermit2Code in Preinstalls.sol). */
function blankPermit2(code: Hex): Hex {
  return toHex(hexToBytes(code).fill(0, 6_945, 6_977).fill(0, 6_983, 7_015))
}

/** Only in tests and the localnet. */
const leftovers = [
  ...demoAccounts().map(({ privateKey }) => privateKey.slice(2)),
  ...demoAccounts().map(({ address }) => address.slice(2)),
  mnemonic,
  mnemonic.replace(/ junk$/, ''),
  'correct heron battery sluice',
  'anvil_',
  'hardhat_',
  'evm_mine',
  'fake-browser',
  'playwright',
  'vitest',
  '__TEST',
  '__coverage__',
  'import.meta.env',
  'process.env',
  'sluice-canary',
]

describe('random sources', () => {
  // Only jitter may be predictable.
  it('uses Math.random only in the two known files', () => {
    const users = filesUnder('src', 'entrypoints').filter((file) =>
      textOf(root, file).includes('Math.random'),
    )
    expect(users).toEqual(['src/httpClient.ts', 'src/state/stores.ts'])
    for (const build of builds) {
      const bundled = shipped(build).filter(({ text }) => text.includes('Math.random'))
      const names = bundled.map(({ file }) => file.replace(/-[\w-]{8}\.js$/, '.js'))
      expect(names, build).toEqual(['background.js', 'chunks/popup.js'])
      for (const { text } of bundled) expect(text.split('Math.random')).toHaveLength(2)
    }
  })
})

describe.each(builds)('build output of %s', (build) => {
  it('contains no secret', () => {
    const found = shipped(build).flatMap(({ file, text }) =>
      secretsIn(text).map((what) => `${file}: ${what}`),
    )
    expect(found).toEqual([])
  })

  it('contains no number that could be a key', () => {
    const found = shipped(build).flatMap(({ file, text }) => keysIn(text).map((key) => `${file}: ${key}`))
    expect(found).toEqual([])
  })

  it('contains nothing of the tests and the localnet', () => {
    const found = shipped(build).flatMap(({ file, text }) =>
      leftovers.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`),
    )
    expect(found).toEqual([])
  })

  it('contains no source maps, no sources and no path of the build machine', () => {
    expect(shipped(build).filter(({ file }) => /\.(map|tsx?|env|pem|md)$/.test(file))).toEqual([])
    expect(
      shipped(build).filter(({ text }) => text.includes(root) || text.includes('sourceMappingURL')),
    ).toEqual([])
  })
})

describe('release scan', () => {
  it.each(Object.entries(secrets))('detects %s', (what, { canary }) => {
    expect(secretsIn(`const a="${canary}";`)).toContain(what)
  })

  it('detects a number that could be a key', () => {
    const [demo] = demoAccounts()
    expect(keysIn(`const a="${demo?.privateKey}";`)).toEqual([demo?.privateKey.slice(2)])
  })
})

describe('npm packages', () => {
  const packages = Object.entries(lock.packages as Record<string, Locked>).filter(([path]) => path !== '')

  it('pins every dependency to one version', () => {
    const { dependencies, devDependencies, overrides } = own
    const wanted = [dependencies, devDependencies, overrides].flatMap(versionsIn)
    const isPinned = (version: string) => /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)
    expect(wanted.filter(([, version]) => !isPinned(version))).toEqual([])
  })

  it('installs only from the registry, not from git, URLs or folders', () => {
    expect(packages.filter(([, { resolved, link }]) => resolved !== undefined || link)).toEqual([])
  })

  // The lock has no hashes for other platforms (docs/release.md).
  it('locks every package of this platform by hash', () => {
    const without = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    const isElsewhere = ({ optional, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Locked) =>
      optional && !(os.includes('linux') && cpu.includes('x64') && libc.includes('glibc'))
    expect(without.filter(([, one]) => !isElsewhere(one)).map(([path]) => path)).toEqual([])
  })

  it('runs no install scripts, and lists the packages that have one', () => {
    expect(npmrc()).toContain('ignore-scripts=true')
    // A new one needs review.
    const wanting = packages.filter(([, one]) => one.hasInstallScript).map(([path]) => path)
    expect(wanting.map((path) => path.replace(/.*node_modules\//, ''))).toEqual([
      '@foundry-rs/anvil',
      'esbuild',
      'spawn-sync',
      'esbuild',
    ])
  })

  it('sets the protective options of npm', () => {
    expect(npmrc()).toEqual([
      'ignore-scripts=true',
      'save-exact=true',
      'min-release-age=7',
      'allow-git=none',
      'allow-remote=none',
      'allow-file=none',
      'allow-directory=none',
      'fund=false',
      'audit=false',
      'omit-lockfile-registry-resolved=true',
    ])
  })
})

describe.each(builds)('third-party code in %s', (build) => {
  const licences = JSON.parse(
    gunzipSync(readFileSync(join(root, '.output', build, 'licences.gz'))).toString(),
  ) as {
    names: string[]
    text: string
  }[]
  const names = licences.flatMap((one) => one.names).filter((name) => name !== 'Sluice')
  const packages = names.map((name) => name.replace(/ [^ ]+$/, ''))

  it('has at most thirteen direct dependencies', () => {
    const chosen = packages.filter((name) => name in own.dependencies)
    expect(chosen.length).toBeGreaterThan(8)
    expect(chosen.length).toBeLessThanOrEqual(13)
    // Data, transitive (abitype is viem's parser), or small parts of the build tool.
    expect(packages.filter((name) => !chosen.includes(name))).toEqual([
      '@aave-dao/aave-address-book',
      '@wxt-dev/browser',
      'wxt',
      'abitype',
      'fastest-levenshtein',
      'vite',
      // Its logos are copied (scripts/networkLogos.ts).
      '@web3icons/core',
    ])
  })

  it('has a licence text with a copyright notice for every entry', () => {
    expect(licences[0]).toEqual({ names: ['Sluice'], text: textOf(root, 'LICENSE').trim() })
    for (const { text } of licences) {
      expect(text).toMatch(/Copyright (\(c\)|\d{4})/i)
      expect(text).toMatch(/Permission is hereby granted|Redistribution and use|Apache License/)
    }
  })

  it('has only licences compatible with MIT', () => {
    const isFree = (licence: string) =>
      /^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|CC0-1\.0|Unlicense)$/.test(licence)
    const licenceOf = (name: string) => JSON.parse(textOf(root, `node_modules/${name}/package.json`)).license
    const installed = packages.filter((name) => name !== '@web3icons/core')
    expect(installed.filter((name) => !isFree(licenceOf(name)))).toEqual([])
    const ofLogos = licences.find(({ names }) => names.includes('@web3icons/core 4.0.56'))
    expect(ofLogos?.text).toBe(textOf(root, 'public/networks/LICENSE').trim())
    expect(ofLogos?.text).toMatch(/^MIT License/)
  })

  it('lists the packages of bundled data: password word lists and token lists', () => {
    expect(packages).toContain('@aave-dao/aave-address-book')
    expect(packages).toContain('@zxcvbn-ts/language-common')
    expect(packages).toContain('@zxcvbn-ts/language-en')
  })
})

type Locked = {
  resolved?: string
  link?: boolean
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  hasInstallScript?: boolean
}

/** Overrides may be nested by package. */
function versionsIn(wanted: object): [string, string][] {
  return Object.entries(wanted).flatMap(([name, version]): [string, string][] =>
    typeof version === 'string' ? [[name, version]] : versionsIn(version),
  )
}

function npmrc(): string[] {
  return textOf(root, '.npmrc')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

type Shipped = { file: string; text: string }

function shipped(build: string): Shipped[] {
  const built = join(root, '.output', build)
  return filesIn(built).map((file) => {
    const content = readFileSync(join(built, file))
    return { file, text: (file.endsWith('.gz') ? gunzipSync(content) : content).toString('latin1') }
  })
}

function secretsIn(text: string): string[] {
  return Object.entries(secrets)
    .filter(([, { like }]) => like.test(text))
    .map(([what]) => what)
}

function keysIn(text: string): string[] {
  const numbers = text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi) ?? []
  return numbers.filter((number) => !publicNumbers.has(number.toLowerCase()))
}

function filesUnder(...folders: string[]): string[] {
  return folders.flatMap((folder) => filesIn(join(root, folder)).map((file) => `${folder}/${file}`)).sort()
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
}

function textOf(folder: string, file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}
