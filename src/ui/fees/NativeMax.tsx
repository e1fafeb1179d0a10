import type { FeeText } from './useFeeFormat.ts'
import '../style/lazy/fees.css'

/** Maximum of a fee in the native token, below it. Without `cost` an empty line, to avoid layout shifts. */
export function NativeMax({ cost }: { cost: FeeText | undefined }) {
  if (cost !== undefined && cost.max === undefined) return null
  return <span class="dim small num fee-max">{cost?.max ?? '\u00a0'}</span>
}
