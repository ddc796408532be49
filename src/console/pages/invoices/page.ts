// The monthly invoices of the organization.

import { definePage } from '../../app/pages.js'

export const page = definePage({
  path: '/invoices',
  title: 'Invoices',
  navigation: { group: 'Money', order: 40, icon: 'receipt-text' },
  scopes: ['read:billing'],
  load: () => import('./invoices.js'),
})
