#!/bin/sh
# Writes testing/samples.ts with OpenSSL 3 and a JDK. Run it only to add a sample: the keys and dates are new each time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-384 -noenc -keyout root.key -out root.pem -days 9000 \
  -subj "/C=DE/O=Slipway/CN=Slipway Test Root" 2>/dev/null
openssl genrsa -traditional -out leaf-pkcs1.pem 2048 2>/dev/null
openssl req -new -key leaf-pkcs1.pem -out leaf.csr -subj '/C=DE/O=Acme\, Inc./CN=client.example' 2>/dev/null
openssl x509 -req -in leaf.csr -CA root.pem -CAkey root.key -set_serial 0x00c0ffee01 -days 8000 -out leaf.pem 2>/dev/null
openssl x509 -in leaf.pem -outform DER -out leaf.der
openssl x509 -in root.pem -outform DER -out root.der
openssl x509 -in leaf.pem -trustout -addtrust clientAuth -out leaf-trusted.pem
openssl req -in leaf.csr -outform DER -out request.der
cat root.pem leaf.pem > chain.pem
cat leaf-pkcs1.pem leaf.pem root.pem > key-and-chain.pem

openssl rsa -in leaf-pkcs1.pem -traditional -outform DER -out leaf-pkcs1.der 2>/dev/null
openssl rsa -in leaf-pkcs1.pem -traditional -aes192 -passout pass:secret -out leaf-pkcs1-aes192.pem 2>/dev/null
openssl rsa -in leaf-pkcs1.pem -pubout -out leaf-public.pem 2>/dev/null
openssl ecparam -name prime256v1 -genkey -out ec-sec1.pem
openssl ec -in ec-sec1.pem -outform DER -out ec-sec1.der 2>/dev/null
openssl ec -in ec-sec1.pem -des3 -passout pass:secret -out ec-sec1-des3.pem 2>/dev/null
openssl pkcs8 -topk8 -nocrypt -in ec-sec1.pem -out ec-pkcs8.pem
openssl pkcs8 -topk8 -nocrypt -in ec-sec1.pem -outform DER -out ec-pkcs8.der
openssl pkcs8 -topk8 -v2 aes-256-cbc -passout pass:secret -in ec-sec1.pem -out ec-pkcs8-aes256.pem
openssl pkcs8 -topk8 -v2 des3 -v2prf hmacWithSHA512 -passout pass:secret -in ec-sec1.pem -outform DER -out ec-pkcs8-des3.der
openssl pkcs8 -topk8 -v1 PBE-SHA1-2DES -passout pass:secret -in ec-sec1.pem -out ec-pkcs8-2des.pem
openssl pkcs8 -topk8 -scrypt -passout pass:secret -in ec-sec1.pem -out ec-pkcs8-scrypt.pem
openssl pkcs8 -topk8 -v1 PBE-MD5-DES -provider legacy -provider default -passout pass:secret -in ec-sec1.pem -out ec-pkcs8-md5-des.pem
openssl genpkey -algorithm ed25519 -out ed25519.pem

openssl crl2pkcs7 -nocrl -certfile chain.pem -outform DER -out chain.p7b
openssl crl2pkcs7 -nocrl -certfile chain.pem -out chain-pem.p7b
openssl crl2pkcs7 -nocrl -certfile /dev/null -outform DER -out empty.p7c 2>/dev/null
# Indefinite lengths, and an OCTET STRING in pieces.
echo text | openssl cms -sign -stream -nodetach -binary -signer leaf.pem -inkey leaf-pkcs1.pem -certfile root.pem -outform DER -out streamed.p7b

pkcs12="openssl pkcs12 -export -inkey leaf-pkcs1.pem -in leaf.pem -certfile root.pem"
$pkcs12 -passout pass:secret -out modern.p12
$pkcs12 -passout "pass:Pässwörd €" -legacy -out legacy.p12
$pkcs12 -passout pass:secret -provider legacy -provider default -certpbe PBE-SHA1-RC2-128 -keypbe PBE-SHA1-2DES -macalg sha512 -out rc2-128.p12
$pkcs12 -passout pass:secret -provider legacy -provider default -certpbe PBE-SHA1-RC4-128 -keypbe PBE-SHA1-RC4-40 -out rc4.p12
$pkcs12 -passout pass: -out empty-password.p12
$pkcs12 -passout pass: -legacy -out legacy-empty-password.p12
$pkcs12 -passout pass:secret -nomac -out no-mac.p12
$pkcs12 -passout pass:secret -iter 1 -nomaciter -legacy -out one-iteration.p12
$pkcs12 -passout pass:secret -certpbe NONE -keypbe NONE -out not-encrypted.p12
keytool -importkeystore -srckeystore modern.p12 -srcstoretype PKCS12 -srcstorepass secret -destkeystore keytool.p12 \
  -deststoretype PKCS12 -deststorepass secret -noprompt 2>/dev/null
# A key with another password than the file: neither OpenSSL nor keytool writes one.
cat > KeyPassword.java <<'JAVA'
import java.io.*;
import java.security.*;

class KeyPassword {
  public static void main(String[] args) throws Exception {
    KeyStore from = KeyStore.getInstance("PKCS12"), to = KeyStore.getInstance("PKCS12");
    from.load(new FileInputStream("keytool.p12"), "secret".toCharArray());
    to.load(null, null);
    to.setKeyEntry("app", from.getKey("1", "secret".toCharArray()), "other".toCharArray(), from.getCertificateChain("1"));
    to.store(new FileOutputStream("key-password.p12"), "secret".toCharArray());
  }
}
JAVA
java KeyPassword.java
for type in jks jceks; do
  keytool -importkeystore -srckeystore keytool.p12 -srcstoretype PKCS12 -srcstorepass secret -srcalias 1 -destalias App \
    -destkeystore keytool.$type -deststoretype $type -deststorepass secret -destkeypass secret -noprompt 2>/dev/null
done
cp keytool.jks key-password.jks
keytool -keypasswd -keystore key-password.jks -storetype JKS -storepass secret -alias app -keypass secret -new other-key 2>/dev/null

{
  echo "// Written by make-samples.sh."
  echo
  echo "/** What OpenSSL tells of the certificates in the samples. */"
  echo "export const facts = {"
  for name in leaf root; do
    echo "  $name: {"
    openssl x509 -in $name.pem -noout -subject -issuer -nameopt RFC2253 | sed 's/\\/\\\\/g; s/^\([a-z]*\)=\(.*\)$/    \1: "\2",/'
    echo "    serialNumber: \"$(openssl x509 -in $name.pem -noout -serial | cut -d= -f2 | tr A-F a-f)\","
    echo "    notAfter: \"$(date -u -d "$(openssl x509 -in $name.pem -noout -enddate | cut -d= -f2)" +%Y-%m-%dT%H:%M:%S.000Z)\","
    echo "  },"
  done
  echo "};"
  echo
  echo "/** The files in base64. The password of encrypted ones is \`secret\`, that of legacy.p12 \`Pässwörd €\`, of the key in key-password.p12 \`other\`, and in key-password.jks \`other-key\`. */"
  echo "export const base64 = {"
  for file in *.pem *.der *.p7b *.p7c *.p12 *.jks *.jceks; do
    echo "  \"$file\":"
    echo "    \"$(base64 -w0 "$file")\","
  done
  echo "};"
} > "$here/samples.ts"
