import type { ErrorCode } from '../../base/errors/errors.ts';

export type EditorErrorKind = 'NoPermissions' | 'NotFound' | 'Blocked' | 'Other';

export function errorKind(code: ErrorCode): EditorErrorKind {
  switch (code) {
    case 'key':
    case 'vendor-key':
    case 'vendor-not-permitted':
    case 'not-permitted':
    case 'network-not-allowed':
      return 'NoPermissions';
    case 'model':
    case 'wrong-address':
      return 'NotFound';
    case 'balance':
    case 'vendor-balance':
    case 'budget':
    case 'rate-limit':
      return 'Blocked';
    default:
      return 'Other';
  }
}
