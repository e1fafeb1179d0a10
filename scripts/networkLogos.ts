import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

// Source: @web3icons/core 4.0.56 (npm). Its licence is public/networks/LICENSE.

/** By chain: the package's file, and the SHA-256 of its SVG as written to public/networks. */
export const networkLogos: Readonly<Record<number, { file: string; sha256: string; isPlain?: true }>> = {
  1: { file: 'ethereum', sha256: '5a18ee1cb2552ea2e66c0ec8656b9a3ccba127541b5cf59cfcc0eae6133bb482' },
  10: { file: 'optimism', sha256: '0c2559e91bfb16c8630e5825c9b9c81d28fa1d994627e85e41d3cf0286cc5bd5' },
  56: {
    file: 'binance-smart-chain',
    sha256: 'af8c52815cd80c85cd6bd25e47d31959f2d245aa5ed4f63e3b43b41ffe28d40a',
  },
  100: { file: 'gnosis', sha256: '29facd9a4c39eead12e48f119f75a30898187629defe83007dd2d47d9c31b74f' },
  130: { file: 'unichain', sha256: '07d1b0afd5728372ee398b018d28ae83433af2795984bb59f2b394cbd5e6d221' },
  137: { file: 'polygon', sha256: '849d33f79854d10b5a5c98929ffaff1afbafe7b2278b1c15e7167dff95c4256b' },
  // The blue square alone: on a ground of its own it looks like an empty checkbox when small.
  8453: {
    file: 'base',
    sha256: 'd7633d52ef2f5e966f2e5b9e5a79a0b1a4facb8f266cc55d81aa9646dc8d064a',
    isPlain: true,
  },
  42161: { file: 'arbitrum-one', sha256: '87f7de455f717d4fe88fd12c399885433fab6f071484d244b0c79eb918940da5' },
  43114: { file: 'avalanche', sha256: 'd54efe157327338cd5984453ce5ce717b057528e1fe148120b36b00a723adf2d' },
  59144: { file: 'linea', sha256: '37e7cc4bbc861c80e707bc929aabd4b2c8697c9fc40ca01978871dc9920aee02' },
}

const drawings = resolve(import.meta.dirname, '../node_modules/@web3icons/core/dist/svgs/networks')

/** Returns the SVG without line breaks and unused attributes. */
function shorten(svg: string): string {
  return `${svg.replace(/\n\s*/g, '').replace(' class="web3icons"', '')}\n`
}

/** Writes public/networks: `npx tsx scripts/networkLogos.ts`. */
async function writeLogos(): Promise<void> {
  for (const [chainId, { file, sha256, isPlain }] of Object.entries(networkLogos)) {
    const path = join(drawings, isPlain ? 'branded' : 'background', `${file}.svg.js`)
    const { default: text }: { default: string } = await import(pathToFileURL(path).href)
    // Plain drawings have a margin of three.
    const svg = isPlain ? shorten(text).replace('0 0 24 24', '3 3 18 18') : shorten(text)
    const found = createHash('sha256').update(svg).digest('hex')
    if (found !== sha256) throw new Error(`${file} has another hash: ${found}`)
    writeFileSync(join(import.meta.dirname, '../public/networks', `${chainId}.svg`), svg)
  }
}

if (process.argv[1] === import.meta.filename) await writeLogos()
