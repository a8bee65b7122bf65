// A port whose every error is passed to a listener, before its caller has a chance to map, log or swallow it. It changes nothing, not
// even when its caller goes on.

export function withErrorListener<P extends object>(port: P, onError: (error: unknown, method: string) => void): P {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== "function") return method;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(method, target, args);
        if (result instanceof Promise) result.catch((error: unknown) => onError(error, String(name)));
        return result;
      };
    },
  });
}
