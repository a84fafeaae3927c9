<?php

// A client that PHP's SoapClient creates from the WSDL. It requests the status ten times a second.
$client = new SoapClient(getenv('VENDOR_CLOUD_URL') . '/iap/ws/RTCService?wsdl', ['cache_wsdl' => WSDL_CACHE_NONE]);
$token = null;
for (;; usleep(100_000)) {
    try {
        $token ??= $client->createServiceToken(['secret' => getenv('VENDOR_CLOUD_SELLER_SECRET')])->output;
        $asked = ['purchaseID' => getenv('VENDOR_CLOUD_PURCHASE_ID'), 'serviceToken' => $token];
        $status = $client->getSubscriptionStatus($asked)->output;
        echo "$status->subscriptionStatus $status->subscriptionEndDate\n";
    } catch (SoapFault $fault) {
        $code = (int) ($fault->detail->WebServiceException->errorCode ?? 0);
        if ($code === 300) {
            break;
        }
        $token = $code === 301 ? null : $token;
    }
}
