// The sign of the product.

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5.5" />
      <path d="M11.3 3 5.4 11h3.7l-.6 6 6.1-8.4h-3.8z" />
    </svg>
  )
}
