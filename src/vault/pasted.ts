/** Removes invisible characters. */
export function withoutUnseen(text: string): string {
  return text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}
