import { WalletError } from '../errors.ts'
import { type Bytes, fromHex, type Hex, toHex } from './bytes.ts'
import { open, seal } from './cipher.ts'
import { type Contents, pack, unpack, wipe } from './contents.ts'
import { unpackLegacy } from './legacyFormat.ts'
import { latestVersions, type VaultRecord, vaultHeader } from './records.ts'

/** Wipes contents and key afterwards. Throws `wrong-password`. */
export async function withContents<T>(
  dataKey: Bytes,
  vault: VaultRecord,
  use: (contents: Contents) => T | Promise<T>,
): Promise<T> {
  const { iv, sealed, ...head } = vault
  let contents: Contents | undefined
  try {
    const plain = await open(dataKey, { iv: fromHex(iv), sealed: fromHex(sealed) }, vaultHeader(head))
    if (plain === undefined) throw new WalletError('wrong-password', 'This key does not open the vault.')
    contents = (vault.version === 1 ? unpackLegacy : unpack)(plain)
    return await use(contents)
  } finally {
    if (contents) wipe(contents)
    dataKey.fill(0)
  }
}

export async function sealContents(dataKey: Bytes, vaultId: Hex, contents: Contents): Promise<VaultRecord> {
  const head = { version: latestVersions.vault, vaultId }
  const plain = pack(contents)
  const { iv, sealed } = await seal(dataKey, plain, vaultHeader(head))
  plain.fill(0)
  return { ...head, iv: toHex(iv), sealed: toHex(sealed) }
}
