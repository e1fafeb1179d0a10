export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-frame" d="M8 7v12M24 7v12M8 7h16" />
      <rect class="mark-gate" x="11.5" y="7" width="9" height="7.5" rx="1.2" />
      <path
        class="mark-water"
        d="M6.5 20.5c2.4-2.2 4.3-2.2 6.4 0s4.1 2.2 6.3 0 4.1-2.2 6.3 0M6.5 25.5c2.4-2.2 4.3-2.2 6.4 0s4.1 2.2 6.3 0 4.1-2.2 6.3 0"
      />
    </svg>
  )
}
