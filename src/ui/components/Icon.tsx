const eye = 'M3 12q3.5-6 9-6t9 6q-3.5 6-9 6t-9-6z'
const shapes = {
  settings:
    'M9.8 5.5 10.2 2.7 13.8 2.7 14.2 5.5 16.5 6.8 19.2 5.8 21 8.9 18.8 10.7 18.8 13.3 21 15.1 19.2 18.2 16.5 17.2 14.2 18.5 13.8 21.3 10.2 21.3 9.8 18.5 7.5 17.2 4.8 18.2 3 15.1 5.2 13.3 5.2 10.7 3 8.9 4.8 5.8 7.5 6.8zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  sliders: 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6z',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  plus: 'M12 5v14M5 12h14',
  next: 'M9.5 5.5L16 12l-6.5 6.5',
  down: 'M6 9.5l6 6 6-6',
  flip: 'M8 5v14M8 19l-3.5-3.5M8 19l3.5-3.5M16 19V5M16 5l-3.5 3.5M16 5l3.5 3.5',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM16 16l4 4',
  warn: 'M12 4.5L3.5 19.5h17zM12 10v4.5M12 17v.2',
  refresh: 'M19 12a7 7 0 1 1-2.3-5.2M19 4v4h-4',
  wallet: 'M4 7.5h15v12H4zM4 7.5l11-3v3M15.5 13.5h3.5',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 1.8',
  out: 'M10 6H5v13h13v-5M13 5h6v6M19 5l-8 8',
  send: 'M12 19.5V5M6 11l6-6 6 6',
  receive: 'M12 4v11M6.5 10l5.5 5.5 5.5-5.5M5 20h14',
  star: 'M12 4l2.5 5.1 5.5.8-4 3.9.9 5.6-4.9-2.7-4.9 2.7.9-5.6-4-3.9 5.5-.8z',
  edit: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19z',
  show: `${eye}M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z`,
  hide: `${eye}M5 19L19 5`,
} as const

export type IconName = keyof typeof shapes

/** Decorative icon: the control has the label. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class={`icon icon-${name}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
