import type { Address } from '../../token/token.ts'
import type { Venue } from '../description.ts'
import { permit2 } from '../permit2.ts'

/** True for a published deployment. */
export function isKnownContract(name: Venue | 'Permit2' | 'ERC-4337', address: Address | undefined): boolean {
  return address !== undefined && contracts[name].includes(address)
}

const contracts: Record<Venue | 'Permit2' | 'ERC-4337', readonly Address[]> = {
  // The second addresses are zkSync's.
  Permit2: [permit2, '0x0000000000225e31d15943971f47ad3022f714fa'],
  '1inch': ['0x111111125421ca6dc452d289314280a0f8842a65', '0x6fd4383cb451173d5f9304f041c7bcbf27d561ff'],
  'CoW Protocol': ['0x9008d19f58aabd9ed0d60971565aa8510560ab41'],
  '0x': ['0xdef1c0ded9bec7f1a1670819833240f027b25eff'],
  // Seaport 1.1, 1.4, 1.5 and 1.6.
  Seaport: [
    '0x00000000006c3852cbef3e08e8df289169ede581',
    '0x00000000000001ad428e4906ae43d8f9852d0dd6',
    '0x00000000000000adc04c56bf30ac9d3c0aaf14dc',
    '0x0000000000000068f116a894984e2db1123eb395',
  ],
  // Exclusive Dutch and V2 Dutch on Ethereum, V2 and V3 Dutch on Arbitrum, priority on Base.
  UniswapX: [
    '0x6000da47483062a0d734ba3dc7576ce6a0b645c4',
    '0x00000011f84b9aa48e5f8aa8b9897600006289be',
    '0x1bd1aadc9e230626c44a139d7e70d842749351eb',
    '0xb274d5f4b833b61b340b654d600a864fb604a87c',
    '0x000000001ec5656dcdb24d90dfa42742738de729',
  ],
  // 0.8 and 0.9; earlier ones sign a bare hash.
  'ERC-4337': ['0x4337084d9e255ff0702461cf8895ce9e3b5ff108', '0x433709009b8330fda32311df1c2afa402ed8d009'],
}
