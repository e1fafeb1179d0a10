declare module 'pako' {
  export function gzip(text: string, options: { level: number }): Uint8Array
}
